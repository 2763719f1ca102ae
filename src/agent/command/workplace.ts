import { join, resolve } from 'node:path';
import { stringifyJson } from '../../model/json.ts';
import type { CommandPeer as Launchable } from '../../transport/json-rpc-client/options.ts';
import { environmentOf } from '../../transport/program/environment.ts';
import type { Briefing } from '../agent.ts';
import { briefingLookup, fillText, firstOf, type Lookup } from '../placeholders.ts';
import type { Turn } from '../prompt-voice.ts';
import type { CommandTarget, TargetContext } from '../targets.ts';
import { makeFolders, type RunFolders, writePrivate } from './files.ts';
import { located, problemOfProgram } from './locate.ts';
import { serverShapes, toldServers } from './mcp-servers.ts';
import { turnPlaceholders } from './placeholder-names.ts';
import type { CommandSettings } from './settings.ts';
import { otherWays, runVariables, turnVariables, type Variables } from './variables.ts';

/** A command target, with its settings and its context. */
export interface Described {
  readonly target: CommandTarget;
  readonly settings: CommandSettings;
  readonly context: TargetContext;
}

/** The folders, files and variables with which the programs of a run are launched. */
export interface Workplace {
  /** The launch of a program that serves all turns. */
  launchable(): Launchable;
  /** The launch of a program for one turn. */
  launchableFor(turn: Turn, place: 'first' | 'later'): Promise<Launchable>;
  remove(): Promise<void>;
}

/** Rejects if the program cannot be run. */
export async function makeWorkplace(described: Described, briefing: Briefing): Promise<Workplace> {
  const folders = await makeFolders();
  try {
    return await furnish(folders, described, briefing);
  } catch (thrown) {
    await folders.remove();
    throw thrown;
  }
}

async function furnish(folders: RunFolders, described: Described, briefing: Briefing): Promise<Workplace> {
  const { target, settings, context } = described;
  const cwd = target.cwd === undefined ? folders.work : resolve(context.folder, target.cwd);
  const servers = toldServers(briefing.mcpConfig, settings.mcp);
  const mcpConfig = join(folders.told, 'mcp-config.json');
  await writePrivate(mcpConfig, `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`);

  const shapes = Object.entries(serverShapes).map(([name, shape]) => [name, shape(servers)]);
  const runLookup = firstOf(
    among({ mcp_config: mcpConfig, cwd, config_folder: context.folder, ...Object.fromEntries(shapes) }),
    briefingLookup(briefing, context.environment),
  );
  for (const [path, text] of Object.entries(target.files ?? {}))
    await writePrivate(join(folders.work, path), fillText(text, runLookup));

  const told = {
    ...(target.environment === 'inherited' && definedOnly(context.environment)),
    ...runVariables(briefing, mcpConfig),
  };
  const commands = {
    first: located(settings.words, target, context),
    later: located(settings.followUp, target, context),
  };
  const filled = (place: 'first' | 'later', lookup: Lookup, more: Variables): Launchable => {
    const [command = '', ...args] = commands[place].map((word) => fillText(word, lookup));
    const own = Object.entries(target.env ?? {}).map(([name, value]) => [name, fillText(value, lookup)]);
    return { command, args, cwd, env: { ...told, ...more, ...Object.fromEntries(own) } };
  };

  const anyTurn = among(Object.fromEntries(turnPlaceholders.map((name) => [name, ''])));
  for (const place of ['first', 'later'] as const) {
    const { command, env } = filled(place, firstOf(anyTurn, runLookup), {});
    const problem = problemOfProgram(command, cwd, environmentOf({ env }).PATH);
    if (problem !== undefined) throw new Error(problem);
  }

  let turns = 0;
  return {
    launchable: () => filled('first', runLookup, {}),
    async launchableFor(turn, place) {
      turns += 1;
      const prompt_file = join(folders.told, `prompt-${turns}.txt`);
      const input_file = join(folders.told, `input-${turns}.json`);
      if (settings.uses.has('prompt_file')) await writePrivate(prompt_file, turn.prompt);
      if (settings.uses.has('input_file')) await writePrivate(input_file, stringifyJson(turn.input));
      const lookup = firstOf(among({ prompt: turn.prompt, prompt_file, input_file }), runLookup);
      return withoutNul(filled(place, lookup, turnVariables(turn, settings)));
    },
    remove: folders.remove,
  };
}

function withoutNul(launchable: Launchable): Launchable {
  const { args = [], env = {} } = launchable;
  if ([...args, ...Object.values(env)].some((text) => text.includes('\0')))
    throw new Error(`the prompt has a NUL character, which no argument can carry; ${otherWays}`);
  return launchable;
}

function among(values: Variables): Lookup {
  return (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
}

function definedOnly(environment: TargetContext['environment']): Variables {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
