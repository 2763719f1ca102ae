import helpTexts from '../../data/command-texts.json' with { type: 'json' };
import { pad, wrap } from '../report/text-width.ts';
import { ok } from './command-outcome.ts';
import type { CommandRow, CommandTexts, Flag, Operand, Topic } from './command-row.ts';
import { type Command, type CommandName, commands, commonFlags, isCommandName } from './commands.ts';
import { type Colours, complain, type Sink } from './io.ts';
import { hintForUnknownCommand } from './read-arguments.ts';
import { version } from './version.ts';

type Rows = readonly (readonly [left: string, right: string])[];

type Described<R extends CommandRow> = CommandTexts & {
  readonly flags: { readonly [F in Exclude<R['flags'][number]['name'], keyof typeof helpTexts.sharedFlags>]: string };
} & (R extends { operand: Operand } ? { readonly operand: string } : unknown);

/** What help says of each command, its operand and every flag of the command table. */
export const commandTexts: { readonly [N in CommandName]: Described<(typeof commands)[N]> } = helpTexts.commands;

const sharedFlags: { readonly [name: string]: string } = helpTexts.sharedFlags;

export function describeFlag(command: CommandName, flag: string): string {
  const { flags }: CommandTexts = commandTexts[command];
  return flags[flag] ?? sharedFlags[flag] ?? '';
}

const widest = 100;

/** With `all`, the help of a command that has topics is complete; without it, the help lists what most people need. */
export function formatHelp(command: CommandName | undefined, all: boolean, { colours, columns }: Sink): string {
  const width = Math.min(columns, widest);
  return command === undefined ? formatOverview(colours, width) : formatCommandHelp(command, all, colours, width);
}

function formatOverview(colours: Colours, width: number): string {
  const groups = new Map<string, [string, string][]>();
  for (const [name, { operand }] of Object.entries<CommandRow>(commands)) {
    const { group, summary } = commandTexts[name as CommandName];
    groups.set(group, [...(groups.get(group) ?? []), [formatUsage(name, operand), summary]]);
  }
  const { flags, examples, exits } = helpTexts.overview;
  const lefts = [...groups.values()].flat().map(([left]) => left.length);
  return [
    `${colours.bold(`oatf ${version}`)}: write, check and play OATF 0.1 documents\n`,
    formatSection('Usage', `  oatf COMMAND [arguments]\n`, colours),
    ...[...groups].map(([group, rows]) =>
      formatSection(group, formatColumns(rows, width, colours, Math.max(...lefts)), colours),
    ),
    formatSection('Flags', formatColumns(Object.entries(flags), width, colours, Math.max(...lefts)), colours),
    formatSection('Examples', formatColumns(Object.entries(examples), width, colours), colours),
    formatSection('Exit codes', formatColumns(Object.entries(exits), width, colours), colours),
    'oatf COMMAND --help shows the flags, examples and exit codes of a command.\nThe format is specified at https://oatf.io.\n',
  ].join('\n');
}

/** The number of examples in the short help of a command with topics. */
const firstExamples = 7;

function formatCommandHelp(name: CommandName, all: boolean, colours: Colours, width: number): string {
  const row: CommandRow = commands[name];
  const { operand, flags, topics = [] } = row;
  const { summary, notes = [], exits, ...texts }: CommandTexts = commandTexts[name];
  const examples = Object.entries(texts.examples);
  const isShort = topics.length > 0 && !all;
  const needed = flags.filter(({ required }) => required).map(({ name, value }) => ` --${name} ${value}`);
  const inTopics = new Set(topics.flatMap((topic) => topic.flags.map((flag) => flag.name)));
  const others = flags.filter((flag) => !inTopics.has(flag.name));
  const formatFlags = (title: string, listed: readonly Flag[]): string =>
    formatSection(
      title,
      formatColumns(
        listed.map((flag) => formatFlagLine(flag, describeFlag(name, flag.name))),
        width,
        colours,
      ),
      colours,
    );
  return [
    `${colours.bold(`oatf ${name}`)}: ${summary}\n`,
    formatSection('Usage', `  oatf ${formatUsage(name, operand)}${needed.join('')} [flags]\n`, colours),
    ...(operand === undefined
      ? []
      : [formatSection('Arguments', formatColumns([[operand.name, texts.operand ?? '']], width, colours), colours)]),
    formatFlags('Flags', [...others, ...commonFlags]),
    ...(isShort ? [] : topics.map((topic) => formatFlags(topic.title, topic.flags))),
    ...(isShort || notes.length === 0
      ? []
      : [formatSection('Notes', `${notes.map((note) => wrap(note, width, '  ')).join('\n')}\n`, colours)]),
    formatSection(
      'Examples',
      formatColumns(isShort ? examples.slice(0, firstExamples) : examples, width, colours),
      colours,
    ),
    formatSection('Exit codes', formatColumns(Object.entries(exits), width, colours), colours),
    ...(isShort ? [formatTopicsHint(name, inTopics.size, topics, width)] : []),
  ].join('\n');
}

function formatTopicsHint(name: string, count: number, topics: readonly Topic[], width: number): string {
  const titles = topics.map(({ title }) => title.charAt(0).toLowerCase() + title.slice(1)).join('; ');
  return `${wrap(`oatf ${name} --help --all shows ${count} more flags, notes and examples: ${titles}.`, width, '')}\n`;
}

function formatUsage(name: string, operand: Operand | undefined): string {
  if (operand === undefined) return name;
  const word = operand.many ? `${operand.name}…` : operand.name;
  return `${name} ${operand.required ? word : `[${word}]`}`;
}

function formatFlagLine(flag: Flag, description: string): [string, string] {
  const { name, short, value, choices, optional, negatable } = flag;
  const standard = flag.default ?? flag.usual;
  const spelt = value === undefined ? '' : optional ? ` [${value}]` : ` ${value}`;
  const left = `${short ? `-${short}, ` : '    '}--${name}${spelt}${negatable ? `, --no-${name}` : ''}`;
  const choice = choices
    ? ` (${choices.map((each) => (each === standard ? `${each} by default` : each)).join(', ')})`
    : '';
  return [left, description + choice];
}

function formatSection(title: string, body: string, colours: Colours): string {
  return `${colours.bold(title)}\n${body}`;
}

function formatColumns(rows: Rows, width: number, colours: Colours, least = 0): string {
  const left = Math.max(least, ...rows.map(([text]) => text.length)) + 4;
  // There is too little room for two columns, so the description goes below.
  const below = width - left < 30;
  return rows
    .map(([name, description]) => {
      const indent = ' '.repeat(below ? 6 : left);
      const [first = '', ...rest] = wrap(description, width, indent).split('\n');
      const shown = colours.cyan(name) + pad('', left - 2 - name.length);
      const lines = below ? [`  ${colours.cyan(name)}`, first] : [`  ${shown}${first.trimStart()}`];
      return `${[...lines, ...rest].join('\n')}\n`;
    })
    .join('');
}

export const runHelpCommand: Command<'help'> = async ({ command, all }, io) => {
  if (command !== undefined && !isCommandName(command))
    return complain(io, 'usage', `unknown command "${command}"`, hintForUnknownCommand(command));
  await io.stdout.write(formatHelp(command, all, io.stdout));
  return ok;
};
