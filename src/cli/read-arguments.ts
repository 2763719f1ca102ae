import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { nearest } from '../registry/suggestions.ts';
import { type CommandName, commands, commonFlags, type Invocation, isCommandName } from './commands.ts';
import { type CommandRow, camelCase, type Flag } from './table.ts';

/** What the words on the command line mean. */
export type Meant =
  | { readonly kind: 'command'; readonly invocation: Invocation }
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string; readonly hint?: string };

export function readArguments(argv: readonly string[]): Meant {
  const words = (argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv).filter(
    (word) => word !== '--debug',
  );
  const [first] = words;
  const helps = words.some((word) => word === '--help' || word === '-h');
  const name = first?.startsWith('-') && helps ? words.find((word) => !word.startsWith('-')) : first;
  if (first === '--version' || first === '-V') return { kind: 'version' };
  if (name === undefined) return { kind: 'help', command: undefined };
  if (name.startsWith('-')) return unknownFlag(name);
  if (!isCommandName(name)) return unknownCommand(name);
  return helps ? { kind: 'help', command: name } : parse(name, argv);
}

function unknownCommand(name: string): Meant {
  const meant = nearest(name, Object.keys(commands));
  const hint = meant === undefined ? 'oatf --help lists the commands' : `did you mean "oatf ${meant}"?`;
  return { kind: 'wrong', message: `unknown command "${name}"`, hint };
}

function unknownFlag(flag: string): Meant {
  return {
    kind: 'wrong',
    message: `unknown flag ${flag}`,
    hint: 'a command comes first, as in oatf validate FILE; oatf --help lists the commands',
  };
}

function parse(name: CommandName, argv: readonly string[]): Meant {
  let invocation: Invocation | undefined;
  const program = new Command('oatf').exitOverride().addOption(new Option('--debug')).helpCommand(false);
  program.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  program.addCommand(
    toCommand(name, (values) => {
      invocation = { name, values };
    }),
  );
  try {
    program.parse(argv, { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) return wrongUsage(name, thrown);
    throw thrown;
  }
  return invocation === undefined ? { kind: 'help', command: name } : { kind: 'command', invocation };
}

type Values = { readonly [name: string]: unknown };

function toCommand(name: CommandName, act: (values: Values) => void): Command {
  const row: CommandRow = commands[name];
  const command = new Command(name)
    .exitOverride()
    .helpOption(false)
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const { operand } = row;
  if (operand !== undefined) {
    const operandName = `${operand.name}${operand.many ? '...' : ''}`;
    const argument = command.createArgument(
      operand.required ? `<${operandName}>` : `[${operandName}]`,
      operand.description,
    );
    command.addArgument(operand.choices ? argument.choices(operand.choices) : argument);
  }
  for (const flag of [...row.flags, ...commonFlags]) {
    command.addOption(toOption(flag));
    // Beside the other form it leaves the value open where neither is given.
    if (flag.negatable) command.addOption(new Option(`--no-${flag.name}`));
  }
  return command.action(() => {
    const options = command.opts();
    const values = Object.fromEntries(
      row.flags.map((flag): [string, unknown] => {
        const key = camelCase(flag.name);
        return [key, options[key] ?? unsaid(flag)];
      }),
    );
    act(operand ? { ...values, [operand.name.toLowerCase()]: command.processedArgs[0] } : values);
  });
}

function unsaid({ value, many, negatable }: Flag): unknown {
  if (many) return [];
  return value === undefined && !negatable ? false : undefined;
}

function toOption(flag: Flag): Option {
  const { name, short, value, description, choices, default: standard, required, many, optional } = flag;
  const spelling = `${short ? `-${short}, ` : ''}--${name}${value ? (optional ? ` [${value}]` : ` <${value}>`) : ''}`;
  const option = new Option(spelling, description);
  if (choices && !many) option.choices(choices);
  if (many)
    option.argParser((next: string, before: readonly string[] = []) => {
      // In the words that Commander has for a single value.
      if (choices && !choices.includes(next))
        throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
      return [...before, next];
    });
  if (standard !== undefined) option.default(standard);
  return option.makeOptionMandatory(required ?? false);
}

// Commander's words, and ours.
const wordings: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid.*$/, '$1 cannot be "$2"'],
  [/^command-argument value '(.*)' is invalid for argument '(\w+)'.*$/, '$2 cannot be "$1"'],
  [/^option '(?:-\w, )?(--[\w-]+) <(\w+)>' argument missing$/, '$1 needs something behind it: $2'],
  [/^required option '(?:-\w, )?(--[\w-]+) <(\w+)>' not specified$/, '$1 $2 is missing'],
  [/^missing required argument '(\w+)'$/, '$1 is missing'],
  [/^unknown option '(.*)'$/, 'unknown flag $1'],
  [/^too many arguments for .* Expected (\d+) arguments? but got (\d+)\.$/, 'takes $1 arguments, not $2'],
];

function wrongUsage(name: CommandName, { message }: CommanderError): Meant {
  const [first = '', second = ''] = message.replace(/^error: /, '').split('\n');
  const suggestion = /^\(Did you mean (.*)\?\)$/.exec(second)?.[1];
  const allowed = / Allowed choices are (.*)\.$/.exec(first)?.[1];
  const typed = / (?:argument|value) '(.*)' is invalid/.exec(first)?.[1] ?? '';
  const near = allowed === undefined ? undefined : nearest(typed, allowed.split(', '));
  const wording = wordings.find(([theirs]) => theirs.test(first));
  const problem = wording === undefined ? first : first.replace(...wording);
  return {
    kind: 'wrong',
    message: `${name}: ${problem}`,
    hint:
      suggestion !== undefined
        ? `did you mean ${suggestion}?`
        : allowed !== undefined
          ? `${near === undefined ? '' : `did you mean ${near}? `}it can be ${allowed}`
          : `oatf ${name} --help shows how it is used`,
  };
}
