import type { AgentUnderTest } from '../../../agent/agent.ts';
import { isSelective } from '../../../catalogue/filters.ts';
import type { LoadedConfig } from '../../../config/load-config.ts';
import { readRedactPattern } from '../../../config/redact-pattern.ts';
import type { Regex } from '../../../expression/regex.ts';
import type { SkippedDocument } from '../../../model/results.ts';
import { isValueMap, ownValue } from '../../../model/value.ts';
import { visible } from '../../../report/visible.ts';
import { createRedactor, type Redactor, redactorFor } from '../../../secrets/redactor.ts';
import type { Playable } from '../../../suite/plan.ts';
import type { Arguments } from '../../commands.ts';
import { complain, type Io } from '../../io.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { withFilePlaces } from '../places/file-places.ts';
import { fittingDocuments, type LeftOut } from '../places/fitting.ts';
import { documentsFor } from '../plan/documents-for.ts';
import { type Resumed, readResumed, storedValues } from '../plan/resume.ts';
import { shownFile } from '../results/out-folder.ts';
import { readAgents } from './agents.ts';
import { type Layered, layered, type RunValues } from './layers.ts';
import { type Meant, meantBy } from './read-settings.ts';
import { atItsSource, type Source, type Sources } from './sources.ts';
import { type WrongUsage, wrongFlag } from './wrong-usage.ts';

/** Everything that a run needs, from flags, environment, file and stored values. */
export interface Setup {
  readonly values: RunValues;
  readonly sources: Sources;
  readonly resumed: Resumed | undefined;
  readonly playables: readonly Playable[];
  /** Requested documents that are not valid. */
  readonly skipped: readonly SkippedDocument[];
  /** Requested documents that do not fit the fixed addresses. */
  readonly leftOut: readonly LeftOut[];
  readonly meant: Meant;
  /** The prompts of agents that have their own. */
  readonly prompts: { readonly [agent: string]: string };
  readonly redactor: Redactor | undefined;
  /** The source of a setting. For settings with several values, `text` names the value. */
  sourceOf(name: string, text: string): Source;
  /** Reports what is wrong, and names the source of the value. */
  complain(wrong: WrongUsage): Promise<CommandOutcome>;
}

export async function readSetup(
  typed: Arguments<'run'>,
  config: LoadedConfig | undefined,
  io: Io,
): Promise<Setup | CommandOutcome> {
  const agents = layered({ typed, config }, io);
  const safe = (text: string): string => visible(redactorFor(false).text(text));
  const sayWrong = (wrong: WrongUsage, sourceOf: SourceOf = nowhere): Promise<CommandOutcome> =>
    complain(io, 'usage', `run: ${safe(atItsSource(wrong, sourceOf))}`, safe(wrong.hint));
  if ('message' in agents) return sayWrong(agents);
  const resumed = await readResumed(typed, agents.values.agent.length > 0, io);
  if (resumed !== undefined && 'exit' in resumed) return resumed;
  const found =
    resumed === undefined ? agents : layered({ typed, config, stored: stored(typed, resumed) }, io);
  if ('message' in found) return sayWrong(found);
  const { sources } = found;
  const undecided = agentless(typed, found, resumed, config, io);
  if (undecided !== undefined) return sayWrong(undecided);
  const asked = await documentsFor(found.values, resumed, io);
  if ('exit' in asked) return asked;
  const attacked = await readAgents(found.values.agent, { ...io, config });
  const { skipped } = asked;
  const { playables, leftOut } = fittingDocuments(asked.playables, {
    typed: found.values.listen,
    listen: config?.config.listen,
    // A mistake in an agent is reported below.
    agents: 'message' in attacked ? [] : attacked,
    named: found.values.documents,
  });
  const documents = playables.map(({ document }) => document);
  const places =
    config === undefined
      ? found.values
      : withFilePlaces(found.values, documents, {
          config: config.config,
          file: shownFile(config.path, io.cwd),
          environment: io.environment,
          isResumed: resumed !== undefined,
        });
  if ('message' in places) return sayWrong(places);
  const { listen, connect, header } = places;
  const values = { ...found.values, listen, connect, header };
  const sourceOf = sourcesIn(typed, sources, config, io);
  const complainAtSource = (wrong: WrongUsage): Promise<CommandOutcome> => sayWrong(wrong, sourceOf);
  const patterns = readPatterns(values.redactPattern);
  if ('message' in patterns) return complainAtSource(patterns);
  const read = await meantBy(values, documents, { ...io, config, sources, mayWait: true });
  if ('message' in read) return complainAtSource(read);
  const prompts = values.prompt === undefined ? promptsOf(read.agents, resumed) : {};
  const meant = { ...read, agents: read.agents.map((agent) => withPrompt(agent, prompts)) };
  const redactor = values.redact ? createRedactor({ patterns: patterns.regexes }) : undefined;
  const setup = { values, sources, resumed, playables, skipped, leftOut, meant, prompts, redactor };
  return { ...setup, sourceOf, complain: complainAtSource };
}

type SourceOf = Setup['sourceOf'];

const nowhere: SourceOf = () => ({ kind: 'usual' });

function stored(typed: Arguments<'run'>, resumed: Resumed): Partial<Arguments<'run'>> {
  // The documents are those of the plan, unless others are asked for.
  return { ...storedValues(resumed), ...(!isSelective(typed) && { documents: [] }) };
}

/** A user who has targets but names none is probably not waiting for an external agent. */
function agentless(
  typed: Arguments<'run'>,
  { values, sources }: Layered,
  resumed: Resumed | undefined,
  config: LoadedConfig | undefined,
  io: Pick<Io, 'cwd'>,
): WrongUsage | undefined {
  if (values.agent.length > 0 || sources.agent?.kind !== 'usual') return undefined;
  if (resumed !== undefined) {
    const names = resumed.stored.plan.agents.map(({ name }) => name).join(', ');
    return wrongFlag(
      'resume',
      typed.resume ?? '',
      `what ${names} stands for is not stored`,
      'name it again with --agent',
    );
  }
  const targets = Object.keys(config?.config.targets ?? {});
  const [first] = targets;
  if (config === undefined || first === undefined) return undefined;
  if (typed.stdio !== undefined || typed.connect.length > 0) return undefined;
  return {
    message: `${shownFile(config.path, io.cwd)} has targets, and none is named: ${targets.join(', ')}`,
    hint: `--agent ${first}, or \`agent\` in the file; --agent external waits for one that connects`,
  };
}

function readPatterns(sources: readonly string[]): { readonly regexes: readonly Regex[] } | WrongUsage {
  const regexes: Regex[] = [];
  for (const source of sources) {
    const read = readRedactPattern(source);
    if ('problem' in read)
      // A pattern may itself be a secret, so it is not quoted. Patterns of a file were checked when it was read.
      return {
        message: `--redact-pattern: this ${read.problem}`,
        hint: read.hint ?? 'see the syntax of RE2',
      };
    regexes.push(read);
  }
  return { regexes };
}

/** A resumed run keeps its prompt, even if the file has changed. */
function promptsOf(
  agents: readonly AgentUnderTest[],
  resumed: Resumed | undefined,
): { readonly [agent: string]: string } {
  if (resumed === undefined)
    return Object.fromEntries(
      agents.flatMap(({ name, prompt }) => (prompt === undefined ? [] : [[name, prompt]])),
    );
  const { prompts } = resumed.stored.plan.settings;
  const told = isValueMap(prompts) ? prompts : {};
  return Object.fromEntries(
    Object.entries(told).flatMap(([name, prompt]) => (typeof prompt === 'string' ? [[name, prompt]] : [])),
  );
}

function withPrompt(agent: AgentUnderTest, prompts: { readonly [agent: string]: string }): AgentUnderTest {
  return { ...agent, prompt: ownValue(prompts, agent.name) };
}

/** A setting with several values may have several sources; the text of a value tells which. */
function sourcesIn(
  typed: Arguments<'run'>,
  sources: Sources,
  config: LoadedConfig | undefined,
  io: Pick<Io, 'cwd'>,
): SourceOf {
  return (name, text) => {
    const source = ownValue(sources as { readonly [name: string]: Source }, name);
    const flags = ownValue(typed as { readonly [name: string]: unknown }, name);
    if (source !== undefined || !Array.isArray(flags)) return source ?? { kind: 'flag' };
    return flags.includes(text) || config === undefined
      ? { kind: 'flag' }
      : { kind: 'file', file: shownFile(config.path, io.cwd) };
  };
}
