import { type ParseArgsConfig, parseArgs } from 'node:util';
import { findNearest } from '../format/registry/suggestions.ts';
import { type CommandRow, type Flag, type Operand, toCamelCase } from './command-row.ts';
import { type CommandName, commands, commonFlags, type Invocation, isCommandName } from './commands.ts';

export type ParsedCommandLine =
  | { readonly kind: 'command'; readonly invocation: Invocation }
  | { readonly kind: 'help'; readonly command: CommandName | undefined; readonly all: boolean }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string; readonly hint?: string };

export function readArguments(argv: readonly string[]): ParsedCommandLine {
  const words = (argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv).filter((word) => word !== '--debug');
  const [first] = words;
  const helps = words.some((word) => word === '--help' || word === '-h');
  const all = words.includes('--all');
  const name = first?.startsWith('-') && helps ? words.find((word) => !word.startsWith('-')) : first;
  if (first === '--version' || first === '-V') return { kind: 'version' };
  if (name === undefined) return findUnknownFlag(words, undefined) ?? { kind: 'help', command: undefined, all };
  if (name.startsWith('-')) return describeUnknownFlag(name);
  if (!isCommandName(name)) return describeUnknownCommand(name);
  return helps ? (findUnknownFlag(words, name) ?? { kind: 'help', command: name, all }) : parseWords(name, argv);
}

const helpFlags: readonly Flag[] = [...commonFlags, { name: 'all' }];

/** A flag that does not exist, beside `--help`. Values are not checked: who asks for help may not know them. */
function findUnknownFlag(words: readonly string[], name: CommandName | undefined): ParsedCommandLine | undefined {
  const row: CommandRow | undefined = name && commands[name];
  const flags = [...(row?.flags ?? []), ...helpFlags];
  const spellings = indexSpellings(flags);
  for (const token of tokenize(flags, words))
    if (token.kind === 'option' && !spellings.has(token.name))
      return name === undefined
        ? describeUnknownFlag(token.rawName)
        : toWrongCommandLine(name, describeWrongFlag(token.rawName, spellings.keys()));
  return undefined;
}

function toWrongCommandLine(name: CommandName, { problem, hint }: Wrong): ParsedCommandLine {
  return { kind: 'wrong', message: `${name}: ${problem}`, hint: hint ?? `oatf ${name} --help shows how it is used` };
}

function describeUnknownCommand(name: string): ParsedCommandLine {
  return { kind: 'wrong', message: `unknown command "${name}"`, hint: hintForUnknownCommand(name) };
}

/** Commands of earlier versions, with what to use instead. */
const formerCommands: ReadonlyMap<string, string> = new Map([
  ['show', 'use "oatf explain DOCUMENT"; it takes --source, --twin and --json'],
]);

export function hintForUnknownCommand(name: string): string {
  const former = formerCommands.get(name);
  if (former !== undefined) return former;
  const meant = findNearest(name, Object.keys(commands));
  return meant === undefined ? 'oatf --help lists the commands' : `did you mean "oatf ${meant}"?`;
}

function describeUnknownFlag(flag: string): ParsedCommandLine {
  return {
    kind: 'wrong',
    message: `unknown flag ${flag}`,
    hint: 'a command comes first, as in oatf validate FILE; oatf --help lists the commands',
  };
}

interface Wrong {
  readonly problem: string;
  readonly hint?: string;
}

type Values = { readonly [name: string]: unknown };

function parseWords(name: CommandName, argv: readonly string[]): ParsedCommandLine {
  const row: CommandRow = commands[name];
  const { values, words, wrong } = readWords([...row.flags, ...commonFlags], argv);
  // The first word is the command itself.
  const operand = wrong ?? findMissingFlag(row.flags, values) ?? readOperand(row.operand, words.slice(1));
  if ('problem' in operand) return toWrongCommandLine(name, operand);
  const given = row.flags.map((flag): [string, unknown] => {
    const key = toCamelCase(flag.name);
    return [key, values.get(key) ?? chooseDefault(flag)];
  });
  return { kind: 'command', invocation: { name, values: { ...Object.fromEntries(given), ...operand.values } } };
}

interface ReadWords {
  readonly values: ReadonlyMap<string, unknown>;
  /** The words that are neither flags nor values of flags. */
  readonly words: readonly string[];
  /** The first problem, if there is one. */
  readonly wrong?: Wrong;
}

/** Node splits the words into flags and values; our table says which flags exist and what they take. */
function readWords(flags: readonly Flag[], argv: readonly string[]): ReadWords {
  const spellings = indexSpellings(flags);
  const tokens = tokenize(flags, argv);
  const values = new Map<string, unknown>();
  const words: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (token.kind === 'positional' && !mayBeFlagValue(before, spellings)) words.push(token.value);
    if (token.kind !== 'option' || token.name === 'debug') continue;
    const spelling = spellings.get(token.name);
    if (spelling === undefined) return { values, words, wrong: describeWrongFlag(token.rawName, spellings.keys()) };
    const { flag, isOn } = spelling;
    const next = tokens[index + 1];
    const typed = next?.kind === 'positional' && mayBeFlagValue(token, spellings) ? next.value : token.value;
    const wrong = findWrongValue(flag, isOn, typed);
    if (wrong !== undefined) return { values, words, wrong };
    const key = toCamelCase(flag.name);
    const value = typed ?? isOn;
    values.set(key, flag.many ? [...((values.get(key) ?? []) as readonly unknown[]), value] : value);
  }
  return { values, words };
}

function tokenize(flags: readonly Flag[], argv: readonly string[]) {
  const options = toParseOptions(flags);
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

type Token = ReturnType<typeof tokenize>[number];

/** Whether the next word may be the value of this flag, whose value is optional. */
function mayBeFlagValue(token: Token | undefined, spellings: ReadonlyMap<string, Spelling>): boolean {
  if (token?.kind !== 'option' || token.value !== undefined) return false;
  const spelling = spellings.get(token.name);
  return spelling?.flag.optional === true && spelling.isOn;
}

interface Spelling {
  readonly flag: Flag;
  /** Whether this spelling turns the flag on. */
  readonly isOn: boolean;
}

function indexSpellings(flags: readonly Flag[]): ReadonlyMap<string, Spelling> {
  return new Map(
    flags.flatMap((flag): [string, Spelling][] => [
      [flag.name, { flag, isOn: !flag.name.startsWith('no-') }],
      ...(flag.negatable ? [[`no-${flag.name}`, { flag, isOn: false }] as [string, Spelling]] : []),
    ]),
  );
}

function toParseOptions(flags: readonly Flag[]): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    flags.map(({ name, short, value, optional }) => [
      name,
      // Node does not take an optional value from the next word, so we do.
      { type: value === undefined || optional ? 'boolean' : 'string', ...(short && { short }) },
    ]),
  );
}

function describeWrongFlag(typed: string, names: Iterable<string>): Wrong {
  const near = findNearest(typed.replace(/^-+/, ''), names);
  return { problem: `unknown flag ${typed}`, ...(near && { hint: `did you mean --${near}?` }) };
}

function findWrongValue(flag: Flag, isOn: boolean, value: string | undefined): Wrong | undefined {
  const { name, value: takes, optional, choices } = flag;
  const hasValue = takes !== undefined && isOn;
  if (value === undefined) return hasValue && !optional ? { problem: `--${name} needs a value: ${takes}` } : undefined;
  if (!hasValue) return { problem: `--${isOn ? '' : 'no-'}${name.replace(/^no-/, '')} takes no value` };
  return findWrongChoice(`--${name}`, choices, value);
}

function findWrongChoice(what: string, choices: readonly string[] | undefined, value: string): Wrong | undefined {
  if (choices === undefined || choices.includes(value)) return undefined;
  const near = findNearest(value, choices);
  const hint = `${near === undefined ? '' : `did you mean ${near}? `}it can be ${choices.join(', ')}`;
  return { problem: `${what} cannot be "${value}"`, hint };
}

function findMissingFlag(flags: readonly Flag[], values: ReadonlyMap<string, unknown>): Wrong | undefined {
  const missing = flags.find(({ name, required }) => required && !values.has(toCamelCase(name)));
  return missing && { problem: `--${missing.name} ${missing.value} is missing` };
}

function chooseDefault({ name, value, many, negatable, default: standard }: Flag): unknown {
  if (many) return [];
  if (standard !== undefined) return standard;
  return value === undefined && !negatable ? name.startsWith('no-') : undefined;
}

function readOperand(operand: Operand | undefined, words: readonly string[]): Wrong | { readonly values: Values } {
  const most = operand === undefined ? 0 : operand.many ? Number.POSITIVE_INFINITY : 1;
  if (words.length > most)
    return { problem: `takes ${most === 0 ? 'no arguments' : '1 argument'}, not ${words.length}` };
  if (operand === undefined) return { values: {} };
  const { name, required, many, choices } = operand;
  if (required && words.length === 0) return { problem: `${name} is missing` };
  for (const word of words) {
    const wrong = findWrongChoice(name, choices, word);
    if (wrong !== undefined) return wrong;
  }
  return { values: { [name.toLowerCase()]: many ? words : words[0] } };
}
