import type { CommandRow, CommandTexts, Flag } from '../../../src/cli/command-row.ts';
import { type CommandName, commands, commonFlags } from '../../../src/cli/commands.ts';
import { commandTexts, describeFlag } from '../../../src/cli/help-text.ts';
import { table, words } from '../escape.ts';
import type { Source } from '../source.ts';

type Row = Pick<CommandRow, 'flags' | 'operand'> & { readonly name: CommandName; readonly texts: CommandTexts };

/** A page for each command and one that lists them, from the table behind the parser and the help texts. */
export function commandPages(): readonly Source[] {
  const rows = Object.entries<CommandRow>(commands).map(
    ([name, row]) => [name, { ...row, name: name as CommandName, texts: commandTexts[name as CommandName] }] as const,
  );
  return [list(rows), ...rows.map(([name, row]) => commandPage(name, row))];
}

function list(rows: readonly (readonly [string, Row])[]): Source {
  const groups = [...new Set(rows.map(([, { texts }]) => texts.group))];
  const parts = groups.map((group) => {
    const own = rows.filter(([, { texts }]) => texts.group === group);
    const lines = own.map(([name, { texts }]) => [
      `[\`oatf ${name}\`](/reference/commands/${name})`,
      words(texts.summary),
    ]);
    return `## ${group}\n\n${table(['command', 'what it does'], lines)}`;
  });
  return {
    path: 'reference/commands/index',
    markdown: `# Commands\n\nEvery command of the command line, with its flags, examples and exit codes. \`oatf COMMAND --help\` says the same.\n\n${parts.join('\n')}`,
  };
}

function commandPage(name: string, row: Row): Source {
  const { operand, flags } = row;
  const { summary, notes = [], examples, exits } = row.texts;
  const asked = operand === undefined ? '' : ` ${operand.required ? shown(operand) : `[${shown(operand)}]`}`;
  const needed = flags.flatMap((flag) => (flag.required ? ` --${flag.name} ${flag.value}` : []));
  const parts = [
    `# oatf ${name}\n\n${sentence(words(summary))}\n\n\`\`\`sh\noatf ${name}${asked}${needed.join('')} [flags]\n\`\`\`\n`,
    ...(operand === undefined ? [] : [`\`${operand.name}\`: ${words(row.texts.operand ?? '')}.\n`]),
    `## Flags\n\n${table(
      ['flag', 'what it says'],
      [...flags, ...commonFlags].map((flag) => flagRow(flag, describeFlag(row.name, flag.name))),
    )}`,
    ...(notes.length === 0 ? [] : [`## Notes\n\n${notes.map((note) => `- ${words(note)}\n`).join('')}`]),
    `## Examples\n\n${Object.entries(examples)
      .map(([command, does]) => `${sentence(words(does)).replace(/\.$/, ':')}\n\n\`\`\`sh\n${command}\n\`\`\`\n`)
      .join('\n')}`,
    `## Exit codes\n\n${table(
      ['code', 'when'],
      Object.entries(exits).map(([code, meaning]) => [code, words(meaning)]),
    )}`,
  ];
  return { path: `reference/commands/${name}`, markdown: parts.join('\n') };
}

function shown({ name, many }: { readonly name: string; readonly many?: true }): string {
  return many ? `${name}…` : name;
}

function flagRow(flag: Flag, description: string): readonly string[] {
  const { name, short, value, choices, optional, negatable } = flag;
  const usual = flag.default ?? flag.usual;
  const behind = value === undefined ? '' : optional ? ` [${value}]` : ` ${value}`;
  const spelt = [
    ...(short === undefined ? [] : [`\`-${short}\``]),
    `\`--${name}${behind}\``,
    ...(negatable ? [`\`--no-${name}\``] : []),
  ];
  const values =
    choices === undefined
      ? ''
      : `: ${choices.map((each) => `\`${each}\`${each === usual ? ' (default)' : ''}`).join(', ')}`;
  return [spelt.join(', '), `${words(description)}${values}`];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
