import { compileJsonPaths } from '../../expression/json-path.ts';
import { isCompileFailure } from '../../expression/limits.ts';
import { parseDuration } from '../../primitives/parse-duration.ts';
import { placeholdersIn } from '../placeholders.ts';
import type { Carries } from '../prompt-voice.ts';
import { splitCommand } from '../split-command.ts';
import type { CommandTarget } from '../targets.ts';
import type { OutputFormat } from './answers.ts';
import { problemsOfFiles } from './files.ts';
import { problemsOfPlaceholders, turnPlaceholders } from './placeholder-names.ts';
import { parseSize } from './size.ts';

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
  carries(isFirst: boolean): Carries;
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
}

export type ReadCommand =
  | { readonly ok: true; readonly settings: CommandSettings }
  | { readonly ok: false; readonly problem: string };

const defaultOutputBytes = 8 * 1024 ** 2;
const defaultMemoryBytes = 4 * 1024 ** 3;
/** The longest time that a timer can wait. */
const longestMs = 2 ** 31 - 1;

export function readCommand(target: CommandTarget): ReadCommand {
  const [problem] = problemsOfCommand(target);
  if (problem !== undefined) return { ok: false, problem };
  const { env = {}, output = 'text', pieces = false, turns = 'launch', mcp = 'http', timeout } = target;
  const words = wordsOf(target.command);
  const followUp = wordsOf(target.followUp ?? target.command);
  const uses = new Set([...words, ...followUp, ...Object.values(env)].flatMap(placeholdersIn));
  const stdin = target.stdin ?? (carriesPrompt(words, target) ? 'nothing' : 'prompt');
  const takesInput = (of: readonly string[]): boolean =>
    stdin === 'input' || placeholdersIn([...of, ...Object.values(env)]).includes('input_file');
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
      timeoutMs: timeout === undefined ? undefined : Math.min(longestMs, msOf(timeout)),
      outputBytes: bytesOf(target.maxOutput, defaultOutputBytes),
      memoryBytes: bytesOf(target.maxMemory, defaultMemoryBytes),
    },
  };
}

/** Every problem of a target; each begins with the name of its field. */
export function problemsOfCommand(target: CommandTarget): readonly string[] {
  return rules.flatMap((rule) => rule(target) ?? []);
}

type Rule = (target: CommandTarget) => string | readonly string[] | undefined;

const rules: readonly Rule[] = [
  ({ command }) => problemOfWords('command', command),
  ({ followUp }) => (followUp === undefined ? undefined : problemOfWords('followUp', followUp)),
  (target) =>
    problemsOfPlaceholders(target, {
      command: wordsOf(target.command),
      followUp: wordsOf(target.followUp ?? []),
    }),
  ({ followUp, turns }) =>
    followUp !== undefined && turns === 'keep'
      ? 'followUp: a program that is kept is not launched again; leave it out, or set turns to launch'
      : undefined,
  (target) =>
    target.followUp !== undefined &&
    target.stdin === undefined &&
    wordsOf(target.command).length > 0 &&
    wordsOf(target.followUp).length > 0 &&
    carriesPrompt(wordsOf(target.command), target) !== carriesPrompt(wordsOf(target.followUp), target)
      ? 'followUp: one of the two commands has a placeholder for the prompt; say what stdin is'
      : undefined,
  ({ env = {} }) => {
    const wrong = Object.keys(env).find((name) => name === '' || /[=\0]/.test(name));
    return wrong === undefined ? undefined : `env: ${JSON.stringify(wrong)} cannot be the name of a variable`;
  },
  problemsOfFiles,
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
  ({ maxOutput }) => problemOfSize('maxOutput', maxOutput),
  ({ maxMemory }) => problemOfSize('maxMemory', maxMemory),
];

function problemOfSize(field: string, size: string | undefined): string | undefined {
  if (size === undefined || (parseSize(size) ?? 0) > 0) return undefined;
  return `${field}: ${JSON.stringify(size.slice(0, 40))} is not a size; write 500kB, 8MB or 2GB`;
}

type Words = CommandTarget['command'];

function problemOfWords(field: string, command: Words): string | undefined {
  const split = typeof command === 'string' ? splitCommand(command) : undefined;
  if (split?.ok === false) return `${field}: ${split.problem}`;
  const words = wordsOf(command);
  if ((words[0] ?? '').trim() === '')
    return `${field}: there is no program in it; such as ["my-agent", "--prompt", "{{prompt}}"]`;
  return words.some((word) => word.includes('\0'))
    ? `${field}: a NUL character cannot be part of a command`
    : undefined;
}

function wordsOf(command: Words): readonly string[] {
  if (typeof command !== 'string') return command;
  const split = splitCommand(command);
  return split.ok ? split.words : [];
}

/** Whether a command or its variables contain the prompt. */
function carriesPrompt(words: readonly string[], { env = {} }: CommandTarget): boolean {
  const names = placeholdersIn([...words, ...Object.values(env)]);
  return turnPlaceholders.some((name) => names.includes(name));
}

function msOf(duration: string): number {
  const seconds = parseDuration(duration);
  return typeof seconds === 'number' ? seconds * 1_000 : longestMs;
}

function bytesOf(size: string | undefined, otherwise: number): number {
  return size === undefined ? otherwise : (parseSize(size) ?? otherwise);
}
