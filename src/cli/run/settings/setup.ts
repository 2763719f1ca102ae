import type { AgentUnderTest } from '../../../agents/adapters/agent-under-test.ts';
import type { Regex } from '../../../format/expression/regex.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { SkippedDocument } from '../../../format/model/results-file.ts';
import { getOwnValue, isValueMap } from '../../../format/model/value.ts';
import { createRedactor, type Redactor, selectRedactor } from '../../../secrets/redactor.ts';
import type { LoadedConfig } from '../../../suite/config/load-config.ts';
import { readRedactPattern } from '../../../suite/config/redact-pattern.ts';
import { isSelective } from '../../../suite/library/filters.ts';
import type { PlayableDocument } from '../../../suite/plan/plan.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import type { Arguments } from '../../commands.ts';
import { complain, type Io } from '../../io.ts';
import { selectDocuments } from '../../library/catalogue.ts';
import { addFileAddresses } from '../addresses/file-addresses.ts';
import { type LeftOutDocument, selectFittingDocuments } from '../addresses/fitting-documents.ts';
import { findLastFailed } from '../plan/last-failed.ts';
import { type LoadedDocuments, loadDocuments } from '../plan/load-documents.ts';
import { findPlannedSources, type ResumedRun, readResumed, restoreValues } from '../plan/resume.ts';
import { shortenFilePath } from '../results/out-folder.ts';
import { type MergedSettings, mergeLayers, type RunValues } from './layers.ts';
import { type ResolvedSettings, readAgents, resolveSettings } from './read-settings.ts';
import { describeWrongValue, type SettingSource, type SettingSources } from './setting-sources.ts';
import { refuseFlag, type WrongUsage } from './wrong-usage.ts';

/** Everything that a run needs, from flags, environment, file and stored values. */
export interface RunSetup {
  readonly values: RunValues;
  readonly sources: SettingSources;
  readonly resumed: ResumedRun | undefined;
  readonly playables: readonly PlayableDocument[];
  /** Requested documents that are not valid. */
  readonly skipped: readonly SkippedDocument[];
  /** Requested documents that do not fit the fixed addresses. */
  readonly leftOut: readonly LeftOutDocument[];
  readonly meant: ResolvedSettings;
  /** The prompts of agents that have their own. */
  readonly prompts: { readonly [agent: string]: string };
  readonly redactor: Redactor | undefined;
  readonly config: LoadedConfig | undefined;
  /** The source of a setting. For settings with several values, `text` names the value. */
  findSource(name: string, text: string): SettingSource;
  /** Reports what is wrong, and names the source of the value. */
  complain(wrong: WrongUsage): Promise<CommandOutcome>;
}

/** Reads the settings of a run from all of their sources. */
export async function readRunSettings(
  typed: Arguments<'run'>,
  config: LoadedConfig | undefined,
  io: Io,
): Promise<RunSetup | CommandOutcome> {
  const agents = mergeLayers({ typed, config }, io);
  const safe = (text: string): string => escapeInvisible(selectRedactor(false).text(text));
  const sayWrong = (wrong: WrongUsage, findSource: SourceOf = createUsualSource): Promise<CommandOutcome> =>
    complain(io, 'usage', `run: ${safe(describeWrongValue(wrong, findSource))}`, safe(wrong.hint));
  if ('message' in agents) return sayWrong(agents);
  const resumed = await readResumed(typed, agents.values.agent.length > 0, io);
  if (resumed !== undefined && 'exit' in resumed) return resumed;
  const found =
    resumed === undefined
      ? agents
      : mergeLayers({ typed, config, stored: restoreSettings(typed, resumed, config) }, io);
  if ('message' in found) return sayWrong(found);
  const { sources } = found;
  const undecided = refuseWithoutAgent(typed, found, resumed, config, io);
  if (undecided !== undefined) return sayWrong(undecided);
  const named = selectLastFailed(typed, found.values, io);
  if ('message' in named) return sayWrong(named);
  const asked = await loadRunDocuments({ ...found.values, ...named }, resumed, io);
  if ('exit' in asked) return asked;
  const attacked = await readAgents(found.values.agent, { ...io, config }, found.values.without);
  const { skipped } = asked;
  const { playables, leftOut } = selectFittingDocuments(asked.playables, {
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
      : addFileAddresses(found.values, documents, {
          config: config.config,
          file: shortenFilePath(config.path, io.cwd),
          environment: io.environment,
          isResumed: resumed !== undefined,
        });
  if ('message' in places) return sayWrong(places);
  const { listen, connect, header } = places;
  const values = { ...found.values, listen, connect, header };
  const findSource = createSourceFinder(typed, sources, config, io);
  const complainAtSource = (wrong: WrongUsage): Promise<CommandOutcome> => sayWrong(wrong, findSource);
  const patterns = readPatterns(values.redactPattern);
  if ('message' in patterns) return complainAtSource(patterns);
  const read = await resolveSettings(values, documents, { ...io, config, sources, mayWait: true });
  if ('message' in read) return complainAtSource(read);
  const prompts = values.prompt === undefined ? listAgentPrompts(read.agents, resumed) : {};
  const meant = { ...read, agents: read.agents.map((agent) => setPrompt(agent, prompts)) };
  const redactor = values.redact ? createRedactor({ patterns: patterns.regexes }) : undefined;
  const setup = { values, sources, resumed, playables, skipped, leftOut, meant, prompts, redactor, config };
  return { ...setup, findSource: findSource, complain: complainAtSource };
}

type SourceOf = RunSetup['findSource'];

const createUsualSource: SourceOf = () => ({ kind: 'usual' });

function restoreSettings(
  typed: Arguments<'run'>,
  resumed: ResumedRun,
  config: LoadedConfig | undefined,
): Partial<Arguments<'run'>> {
  // The documents are those of the plan, unless others are asked for.
  return { ...restoreValues(resumed, config), ...(!isSelective(typed) && { documents: [] }) };
}

/** A user who has targets but names none is probably not waiting for an external agent. */
function refuseWithoutAgent(
  typed: Arguments<'run'>,
  { values, sources }: MergedSettings,
  resumed: ResumedRun | undefined,
  config: LoadedConfig | undefined,
  io: Pick<Io, 'cwd'>,
): WrongUsage | undefined {
  if (values.agent.length > 0 || sources.agent?.kind !== 'usual') return undefined;
  if (resumed !== undefined) {
    const names = resumed.stored.plan.agents.map(({ name }) => name).join(', ');
    return refuseFlag(
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
    message: `${shortenFilePath(config.path, io.cwd)} has targets, and none is named: ${targets.join(', ')}`,
    hint: `--agent ${first}, or \`agent\` in the file; --agent external waits for one that connects`,
  };
}

function readPatterns(sources: readonly string[]): { readonly regexes: readonly Regex[] } | WrongUsage {
  const regexes: Regex[] = [];
  for (const source of sources) {
    const read = readRedactPattern(source);
    if ('problem' in read)
      // A pattern may itself be a secret, so it is not quoted. Patterns of a file were checked when it was read.
      return { message: `--redact-pattern: this ${read.problem}`, hint: read.hint ?? 'see the syntax of RE2' };
    regexes.push(read);
  }
  return { regexes };
}

/** A resumed run keeps its prompt, even if the file has changed. */
function listAgentPrompts(
  agents: readonly AgentUnderTest[],
  resumed: ResumedRun | undefined,
): { readonly [agent: string]: string } {
  if (resumed === undefined)
    return Object.fromEntries(agents.flatMap(({ name, prompt }) => (prompt === undefined ? [] : [[name, prompt]])));
  const { prompts } = resumed.stored.plan.settings;
  const stored = isValueMap(prompts) ? prompts : {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, prompt]) => (typeof prompt === 'string' ? [[name, prompt]] : [])),
  );
}

function setPrompt(agent: AgentUnderTest, prompts: { readonly [agent: string]: string }): AgentUnderTest {
  return { ...agent, prompt: getOwnValue(prompts, agent.name) };
}

/** A setting with several values may have several sources; the text of a value decides which. */
function createSourceFinder(
  typed: Arguments<'run'>,
  sources: SettingSources,
  config: LoadedConfig | undefined,
  io: Pick<Io, 'cwd'>,
): SourceOf {
  return (name, text) => {
    const source = getOwnValue(sources as { readonly [name: string]: SettingSource }, name);
    const flags = getOwnValue(typed as { readonly [name: string]: unknown }, name);
    if (source !== undefined || !Array.isArray(flags)) return source ?? { kind: 'flag' };
    return flags.includes(text) || config === undefined
      ? { kind: 'flag' }
      : { kind: 'file', file: shortenFilePath(config.path, io.cwd) };
  };
}

/** With `--last-failed`, the documents are those of the newest results. */
function selectLastFailed(
  { lastFailed, resume, documents: typed }: Arguments<'run'>,
  { documents }: RunValues,
  io: Pick<Io, 'cwd'>,
): Pick<RunValues, 'documents'> | WrongUsage {
  if (!lastFailed) return { documents };
  if (resume !== undefined || typed.length > 0)
    return refuseFlag(
      'last-failed',
      '',
      `it cannot be combined with ${resume === undefined ? 'documents' : '--resume'}`,
      'it takes the documents from the newest results; filters may be added',
    );
  const failed = findLastFailed(io);
  return 'message' in failed ? failed : { documents: failed };
}

/** The documents of a run: those that were named, the library, or those of a resumed run. */
async function loadRunDocuments(
  values: RunValues,
  resumed: ResumedRun | undefined,
  io: Io,
): Promise<LoadedDocuments | CommandOutcome> {
  const isNamed = values.documents.length > 0 || isSelective(values);
  if (!isNamed && resumed !== undefined) return loadDocuments(findPlannedSources(resumed, io), io, values);
  if (!isNamed && values.agent.length === 0)
    return complain(
      io,
      'usage',
      'run: no documents are given',
      typeof values.stdio === 'string'
        ? `--stdio takes an actor; a document stands before it, as in oatf run ${values.stdio} --stdio`
        : 'name files, folders or ids of the library; with --agent, leaving them out means the whole library',
    );
  const selected = await selectDocuments(values.documents, values, io);
  if (selected.kind === 'failed') return selected.outcome;
  if (selected.sources.length === 0)
    return complain(io, 'usage', 'run: no document passes the filters', 'oatf list shows what there is');
  return loadDocuments(selected.sources, io, values);
}
