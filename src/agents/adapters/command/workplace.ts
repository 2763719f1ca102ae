import { join, resolve } from 'node:path';
import type { CommandPeer as Launchable } from '../../../attack/transport/mcp-client/mcp-client-options.ts';
import { createEnvironment } from '../../../attack/transport/program/environment.ts';
import { listProcessesWithin } from '../../../attack/transport/program/processes.ts';
import { stringifyJson } from '../../../format/model/json-text-values.ts';
import type { Briefing } from '../agent-under-test.ts';
import { chainLookups, createBriefingLookup, fillText, type Lookup } from '../placeholders.ts';
import type { AgentTurn } from '../prompt-agent.ts';
import type { CommandTarget, TargetContext } from '../targets.ts';
import type { CommandSettings } from './command-settings.ts';
import { makeFolders, type RunFolders, writePrivate } from './files.ts';
import { readLeftProcess } from './left-behind.ts';
import { turnPlaceholders } from './placeholder-names.ts';
import { selectReportedServers, serverShapes } from './reported-servers.ts';
import { findProgramProblem, resolveCommandWords } from './resolve-command.ts';

/** A command target, with its settings and its context. */
export interface CommandAgentFacts {
  readonly target: CommandTarget;
  readonly settings: CommandSettings;
  readonly context: TargetContext;
}

/** The folders, files and variables with which the programs of a run are launched. */
export interface Workplace {
  /** The launch of a program that serves all turns. */
  launchable(): Launchable;
  /** The launch of a program for one turn. */
  launchableFor(turn: AgentTurn, place: 'first' | 'later'): Promise<Launchable>;
  /** The names of processes that still work in its own folder; a folder of the target is not looked at. */
  findOccupants(): readonly string[];
  remove(): Promise<void>;
}

/** Rejects if the program cannot be run. */
export async function makeWorkplace(described: CommandAgentFacts, briefing: Briefing): Promise<Workplace> {
  const folders = await makeFolders();
  try {
    return await furnishWorkplace(folders, described, briefing);
  } catch (thrown) {
    await folders.remove();
    throw thrown;
  }
}

async function furnishWorkplace(
  folders: RunFolders,
  described: CommandAgentFacts,
  briefing: Briefing,
): Promise<Workplace> {
  const { target, settings, context } = described;
  const cwd = target.cwd === undefined ? folders.work : resolve(context.folder, target.cwd);
  const servers = selectReportedServers(briefing.mcpConfig, settings.mcp);
  const mcpConfig = join(folders.given, 'mcp-config.json');
  await writePrivate(mcpConfig, `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`);

  const shapes = Object.entries(serverShapes).map(([name, shape]) => [name, shape(servers)]);
  const runLookup = chainLookups(
    createVariableLookup({
      mcp_config: mcpConfig,
      cwd,
      config_folder: context.folder,
      ...Object.fromEntries(shapes),
    }),
    createBriefingLookup(briefing, context.environment),
  );
  for (const [path, text] of Object.entries(target.files ?? {}))
    await writePrivate(join(folders.work, path), fillText(text, runLookup));

  const variables = {
    ...(target.environment === 'inherited' && dropUndefinedVariables(context.environment)),
    ...listRunVariables(briefing, mcpConfig),
  };
  const commands = {
    first: resolveCommandWords(settings.words, target, context),
    later: resolveCommandWords(settings.followUp, target, context),
  };
  const filled = (place: 'first' | 'later', lookup: Lookup, more: Variables): Launchable => {
    const [command = '', ...args] = commands[place].map((word) => fillText(word, lookup));
    const own = Object.entries(target.env ?? {}).map(([name, value]) => [name, fillText(value, lookup)]);
    return { command, args, cwd, env: { ...variables, ...more, ...Object.fromEntries(own) } };
  };

  const anyTurn = createVariableLookup(Object.fromEntries(turnPlaceholders.map((name) => [name, ''])));
  for (const place of ['first', 'later'] as const) {
    const { command, env } = filled(place, chainLookups(anyTurn, runLookup), {});
    const problem = findProgramProblem(command, cwd, createEnvironment({ env }).PATH);
    if (problem !== undefined) throw new Error(problem);
  }

  let turns = 0;
  return {
    launchable: () => filled('first', runLookup, {}),
    async launchableFor(turn, place) {
      turns += 1;
      const prompt_file = join(folders.given, `prompt-${turns}.txt`);
      const input_file = join(folders.given, `input-${turns}.json`);
      if (settings.uses.has('prompt_file')) await writePrivate(prompt_file, turn.prompt);
      if (settings.uses.has('input_file')) await writePrivate(input_file, stringifyJson(turn.input));
      const lookup = chainLookups(createVariableLookup({ prompt: turn.prompt, prompt_file, input_file }), runLookup);
      return withoutNul(filled(place, lookup, listTurnVariables(turn, settings)));
    },
    findOccupants: () =>
      listProcessesWithin(folders.root).map(({ pid }) => readLeftProcess(pid, settings.isHelper).name),
    remove: folders.remove,
  };
}

function withoutNul(launchable: Launchable): Launchable {
  const { args = [], env = {} } = launchable;
  if ([...args, ...Object.values(env)].some((text) => text.includes('\0')))
    throw new Error(`the prompt has a NUL character, which no argument can carry; ${otherWays}`);
  return launchable;
}

function createVariableLookup(values: Variables): Lookup {
  return (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
}

function dropUndefinedVariables(environment: TargetContext['environment']): Variables {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

// The environment variables that every program gets, in addition to those of its target.

interface Variables {
  readonly [name: string]: string;
}

function listRunVariables({ endpoints, a2aCards }: Briefing, mcpConfig: string): Variables {
  const urls = Object.entries(endpoints).map(([actor, { url }]) => [
    `OATF_${actor.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_URL`,
    url,
  ]);
  // An empty list is set too, so that the list of an outer run is not inherited.
  return { ...Object.fromEntries(urls), OATF_MCP_CONFIG: mcpConfig, OATF_A2A_CARDS: a2aCards.join(',') };
}

/** Some systems accept no longer values. */
const longest = 100_000;

/** Advice for a prompt that cannot be passed on in the chosen way. */
export const otherWays = 'give it by stdin (`stdin: prompt`) or as a file ({{prompt_file}})';

/** The prompt as a variable. A prompt that cannot be a variable is left out if the program also gets it in another way. */
function listTurnVariables({ prompt }: AgentTurn, { stdin, uses }: CommandSettings): Variables {
  if (Buffer.byteLength(prompt) <= longest && !prompt.includes('\0')) return { OATF_PROMPT: prompt };
  if (stdin !== 'nothing' || turnPlaceholders.some((name) => uses.has(name))) return {};
  throw new Error(
    `the variable OATF_PROMPT cannot hold the prompt, and the program gets it in no other way; ${otherWays}`,
  );
}
