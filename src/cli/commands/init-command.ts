import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { describeFileFailure } from '../../files/file-failure.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { isFile, listConfigNames } from '../../suite/config/find-config.ts';
import { makeFolder } from '../../suite/play/make-folder.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import {
  type AgentChoice,
  attacksFolder,
  chooseConfigName,
  firstAddress,
  formatConfig,
  isServed,
  readSurroundings,
} from '../init/config-text.ts';
import { askForAgent, readChosen } from '../init/init-questions.ts';
import { complain, createRefusal, type Io } from '../io.ts';
import { readPackageFile } from '../package-file.ts';
import { resultsFolder, shortenPath } from '../run/results/out-folder.ts';
import { formatSchemaComment } from '../schema-comment.ts';

export const runInitCommand: Command<'init'> = async (values, io) => {
  const refuse = createRefusal('init', io);
  const folder = resolve(io.cwd, values.dir ?? '.');
  const [existing] = listConfigNames(folder);
  if (existing !== undefined)
    return refuse(
      `${shortenPath(join(folder, existing), io.cwd)} already exists`,
      'change it by hand, or move it away',
    );
  if (isFile(join(folder, attacksFolder)))
    return refuse(
      `${shortenPath(join(folder, attacksFolder), io.cwd)} is a file, and the attack goes into a folder of that name`,
      'move it away, or name another folder',
    );
  const chosen = await choose(values, io);
  if (chosen === undefined)
    return refuse('there was no answer', 'use --yes to ask nothing, or answer with --agent AGENT');
  if ('exit' in chosen) return chosen;
  const around = readSurroundings(folder);
  const name = chooseConfigName(values.format, around);
  const attack = join(attacksFolder, 'first-attack.yaml');
  const schema = around.installed && formatSchemaComment(`../${around.installed}/dist/schema.json`);
  try {
    const isNew = writeNew(join(folder, attack), `${schema ?? ''}${readPackageFile('templates', 'first-attack.yaml')}`);
    if (!writeNew(join(folder, name), formatConfig(values.format, chosen, around)))
      return refuse(`${name} already exists`, 'change it by hand, or move it away');
    const isIgnored = ignoreResults(folder);
    const shown = (path: string): string => escapeInvisible(shortenPath(join(folder, path), io.cwd));
    const lines = [
      `wrote ${shown(name)}`,
      isNew ? `wrote ${shown(attack)}` : `left ${shown(attack)} as it was`,
      ...(isIgnored ? [`wrote ${shown('.gitignore')}, so that results stay out of version control`] : []),
    ];
    await io.stdout.write(`${lines.join('\n')}\n${formatNextSteps(chosen, values, io)}`);
    return ok;
  } catch (thrown) {
    return complain(io, 'unavailable', `init: ${values.dir ?? '.'}: ${describeFileFailure(thrown)}`);
  }
};

async function choose({ agent, yes }: Arguments<'init'>, io: Io): Promise<AgentChoice | CommandOutcome | undefined> {
  if (agent !== undefined) return readChosen(agent, io);
  if (!yes && io.stdin.isTTY) return askForAgent(io);
  if (!yes)
    await io.stderr.write('oatf: there is no terminal to ask on, so the configuration attacks the built-in agents\n');
  return { kind: 'built-in', names: builtInAgentNames };
}

/**
 * Adds the results folder to `.gitignore`, because results contain what agents sent, including secrets. Other lines
 * stay. Returns whether a line was added.
 */
function ignoreResults(folder: string): boolean {
  const file = join(folder, '.gitignore');
  if (existsSync(file) && !isFile(file)) return false;
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (written.split(/\r?\n/).some((line) => line.replace(/^\/|\/$/g, '') === resultsFolder)) return false;
  const gap = written === '' || written.endsWith('\n') ? '' : '\n';
  appendFileSync(file, `${gap}${resultsFolder}/\n`);
  return true;
}

/** Writes a new file and returns true; an existing file stays as it is. */
function writeNew(path: string, text: string): boolean {
  makeFolder(dirname(path));
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

function formatNextSteps(
  chosen: AgentChoice,
  { dir, format }: Pick<Arguments<'init'>, 'dir' | 'format'>,
  { environment }: Pick<Io, 'environment'>,
): string {
  // With npx there is no installed command.
  const oatf = environment.npm_command === 'exec' ? 'npx oatf' : 'oatf';
  const rows: readonly (readonly [string, string])[] = [
    ...(dir === undefined || dir === '.' ? [] : [[`cd ${escapeInvisible(dir)}`, ''] as const]),
    [`${oatf} validate ${attacksFolder}`, 'check the attack, which you can change'],
    [`${oatf} doctor`, 'see whether your agents can be attacked from here'],
    [`${oatf} run`, chosen.kind === 'built-in' ? 'play it against the built-in agents' : 'play it'],
    [`${oatf} run OATS-001`, 'play an attack of the library; oatf list shows them all'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`.trimEnd());
  return ['', 'Next', ...lines, ...formatTargetNotes(chosen, format), ''].join('\n');
}

function formatTargetNotes(chosen: AgentChoice, format: string): readonly string[] {
  if (chosen.kind === 'built-in')
    return [
      '',
      format === 'json'
        ? 'Your own agent is a target; docs/reference/configuration.md has an example of each kind.'
        : 'Your own agent is a target; the file has an example of each kind.',
    ];
  const { target } = chosen;
  if (isServed(target))
    return [
      '',
      `Your agent is already running, so configure it to use the attack’s MCP server: http://${firstAddress}/mcp`,
    ];
  if ('llm' in target) return ['', 'The key of the model is OPENAI_API_KEY or ANTHROPIC_API_KEY in the environment.'];
  if (target.command !== undefined && target.env !== undefined)
    return ['', `Set these in the environment; they are not in the file: ${Object.keys(target.env).join(', ')}`];
  return [];
}
