import { isCompileFailure } from '../../../format/expression/evaluation-limits.ts';
import { compileJsonPaths } from '../../../format/expression/json-path.ts';
import { parseDuration } from '../../../format/primitives/parse-duration.ts';
import { listInheritedSecrets, listLiteralSecrets } from '../../../secrets/given-secrets.ts';
import { findPlaceholders } from '../placeholders.ts';
import type { CarriedInput } from '../prompt-agent.ts';
import { splitCommand } from '../split-command.ts';
import type { CommandTarget, TargetContext } from '../targets.ts';
import { parseSize } from './byte-size.ts';
import type { OutputFormat } from './command-answer.ts';
import { findFileProblems } from './files.ts';
import { createHelperTest, type HelperTest } from './left-behind.ts';
import { findPlaceholderProblems, turnPlaceholders } from './placeholder-names.ts';

/** The settings of a command target, read and checked. */
export interface CommandSettings extends OutputFormat, ProgramLimits {
  /** The program and its arguments, with placeholders. */
  readonly words: readonly string[];
  /** The command for the turns after the first. */
  readonly followUp: readonly string[];
  /** The placeholders of the commands and their variables. */
  readonly uses: ReadonlySet<string>;
  readonly stdin: 'prompt' | 'input' | 'nothing';
  readonly turns: 'launch' | 'keep';
  readonly mcp: 'http' | 'stdio';
  /** How much of a turn the program receives, in its first turn and in later ones. */
  carries(isFirst: boolean): CarriedInput;
  /** Whether it knows the earlier turns: it is one process, or it has a follow-up command. */
  readonly remembers: boolean;
}

/** The limits of a program. */
export interface ProgramLimits {
  /** The time of one turn. */
  readonly timeoutMs: number | undefined;
  /** The output of one turn. */
  readonly outputBytes: number;
  readonly memoryBytes: number;
  /** Whether it runs in a new, empty folder. */
  readonly isInFreshFolder: boolean;
  /** Whether a process may still run when the program has ended. */
  readonly isHelper: HelperTest;
}

export type ReadCommand =
  | { readonly ok: true; readonly settings: CommandSettings }
  | { readonly ok: false; readonly problem: string };

const defaultOutputBytes = 8 * 1024 ** 2;
const defaultMemoryBytes = 4 * 1024 ** 3;
/** The longest time that a timer can wait. */
const longestMs = 2 ** 31 - 1;

export function readCommand(target: CommandTarget): ReadCommand {
  const [problem] = findCommandProblems(target);
  if (problem !== undefined) return { ok: false, problem };
  const { env = {}, output = 'text', pieces = false, turns = 'launch', mcp = 'http', timeout } = target;
  const words = splitCommandWords(target.command);
  const followUp = splitCommandWords(target.followUp ?? target.command);
  const uses = new Set([...words, ...followUp, ...Object.values(env)].flatMap(findPlaceholders));
  const stdin = target.stdin ?? (carriesPrompt(words, target) ? 'nothing' : 'prompt');
  const takesInput = (of: readonly string[]): boolean =>
    stdin === 'input' || findPlaceholders([...of, ...Object.values(env)]).includes('input_file');
  const answer = target.answer === undefined ? undefined : compileJsonPaths(target.answer);
  return {
    ok: true,
    settings: {
      words,
      followUp,
      uses,
      stdin,
      turns,
      mcp,
      output,
      pieces,
      carries: (isFirst) =>
        takesInput(isFirst ? words : followUp)
          ? 'input'
          : turns === 'keep' && output === 'jsonl'
            ? 'messages'
            : 'prompt',
      remembers: turns === 'keep' || target.followUp !== undefined,
      ...(answer !== undefined &&
        target.answer !== undefined &&
        !isCompileFailure(answer) && { answer: { path: target.answer, find: answer } }),
      timeoutMs: timeout === undefined ? undefined : Math.min(longestMs, toTurnMilliseconds(timeout)),
      outputBytes: parseSizeOr(target.maxOutput, defaultOutputBytes),
      memoryBytes: parseSizeOr(target.maxMemory, defaultMemoryBytes),
      isInFreshFolder: target.cwd === undefined,
      isHelper: createHelperTest(target.helpers ?? [], mcp),
    },
  };
}

/** Every problem of a target; each begins with the name of its field. */
export function findCommandProblems(target: CommandTarget): readonly string[] {
  return rules.flatMap((rule) => rule(target) ?? []);
}

type Rule = (target: CommandTarget) => string | readonly string[] | undefined;

const rules: readonly Rule[] = [
  ({ command }) => findWordsProblem('command', command),
  ({ followUp }) => (followUp === undefined ? undefined : findWordsProblem('followUp', followUp)),
  (target) =>
    findPlaceholderProblems(target, {
      command: splitCommandWords(target.command),
      followUp: splitCommandWords(target.followUp ?? []),
    }),
  ({ followUp, turns }) =>
    followUp !== undefined && turns === 'keep'
      ? 'followUp: a program that is kept is not launched again; leave it out, or set turns to launch'
      : undefined,
  (target) =>
    target.followUp !== undefined &&
    target.stdin === undefined &&
    splitCommandWords(target.command).length > 0 &&
    splitCommandWords(target.followUp).length > 0 &&
    carriesPrompt(splitCommandWords(target.command), target) !==
      carriesPrompt(splitCommandWords(target.followUp), target)
      ? 'followUp: one of the two commands has a placeholder for the prompt; say what stdin is'
      : undefined,
  ({ env = {} }) => {
    const wrong = Object.keys(env).find((name) => name === '' || /[=\0]/.test(name));
    return wrong === undefined ? undefined : `env: ${JSON.stringify(wrong)} cannot be the name of a variable`;
  },
  findFileProblems,
  ({ answer }) => {
    const compiled = answer === undefined ? undefined : compileJsonPaths(answer);
    return compiled !== undefined && isCompileFailure(compiled)
      ? `answer: ${JSON.stringify(answer)} is not an RFC 9535 path (${compiled.failure}); such as $.result`
      : undefined;
  },
  ({ answer, output = 'text' }) =>
    answer !== undefined && output === 'text'
      ? 'answer: there are no paths in plain text; set output to json or jsonl, or leave it out'
      : undefined,
  ({ pieces, output, turns }) =>
    pieces === true && (output !== 'jsonl' || turns === 'keep')
      ? 'pieces: only the lines of a program that ends are pieces of one answer: output jsonl, turns launch'
      : undefined,
  ({ turns, output }) =>
    turns === 'keep' && output === 'json'
      ? 'turns: a program that is kept answers line by line; set output to jsonl or text'
      : undefined,
  ({ turns, stdin }) =>
    turns === 'keep' && stdin === 'nothing'
      ? 'stdin: a program that is kept is spoken to over its standard input; set it to prompt or input'
      : undefined,
  ({ timeout }) => {
    const seconds = timeout === undefined ? 1 : parseDuration(timeout);
    if (typeof seconds !== 'number') return `timeout: ${seconds.message}; ${seconds.hint}`;
    return seconds === 0 ? 'timeout: it must be longer than zero; leave it out for no limit' : undefined;
  },
  ({ maxOutput }) => findSizeProblem('maxOutput', maxOutput),
  ({ maxMemory }) => findSizeProblem('maxMemory', maxMemory),
  ({ helpers = [] }) => {
    const wrong = helpers.find((name) => name.trim() === '' || name.includes('/'));
    return wrong === undefined
      ? undefined
      : `helpers: ${JSON.stringify(wrong)} is not the name of a program; such as gopls or tsserver.js`;
  },
];

function findSizeProblem(field: string, size: string | undefined): string | undefined {
  if (size === undefined || (parseSize(size) ?? 0) > 0) return undefined;
  return `${field}: ${JSON.stringify(size.slice(0, 40))} is not a size; write 500kB, 8MB or 2GB`;
}

type Words = CommandTarget['command'];

function findWordsProblem(field: string, command: Words): string | undefined {
  const split = typeof command === 'string' ? splitCommand(command) : undefined;
  if (split?.ok === false) return `${field}: ${split.problem}`;
  const words = splitCommandWords(command);
  if ((words[0] ?? '').trim() === '')
    return `${field}: there is no program in it; such as ["my-agent", "--prompt", "{{prompt}}"]`;
  return words.some((word) => word.includes('\0'))
    ? `${field}: a NUL character cannot be part of a command`
    : undefined;
}

function splitCommandWords(command: Words): readonly string[] {
  if (typeof command !== 'string') return command;
  const split = splitCommand(command);
  return split.ok ? split.words : [];
}

/** Whether a command or its variables contain the prompt. */
function carriesPrompt(words: readonly string[], { env = {} }: CommandTarget): boolean {
  const names = findPlaceholders([...words, ...Object.values(env)]);
  return turnPlaceholders.some((name) => names.includes(name));
}

function toTurnMilliseconds(duration: string): number {
  const seconds = parseDuration(duration);
  return typeof seconds === 'number' ? seconds * 1_000 : longestMs;
}

function parseSizeOr(size: string | undefined, otherwise: number): number {
  return size === undefined ? otherwise : (parseSize(size) ?? otherwise);
}

/** The secrets that a program is given and that must not be stored. */
export function findCommandSecrets(
  target: CommandTarget,
  settings: CommandSettings,
  { environment }: TargetContext,
): readonly string[] {
  const { env = {}, files = {} } = target;
  const texts = [...settings.words, ...settings.followUp, ...Object.values(env), ...Object.values(files)];
  const taken = findPlaceholders(texts).flatMap((name) => {
    const [, variable = ''] = /^env\.(\w+)$/.exec(name) ?? [];
    return environment[variable] ?? [];
  });
  const given = [
    ...taken,
    ...listLiteralSecrets(Object.values(env)),
    ...(target.environment === 'inherited' ? listInheritedSecrets(environment) : []),
  ];
  return [...new Set(given)];
}
