import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { openLibrary } from '../../suite/library/library.ts';
import { ok } from '../command-outcome.ts';
import type { CommandRow, Flag, Operand } from '../command-row.ts';
import { type Command, type CommandName, commands, commonFlags } from '../commands.ts';
import { explainedCodes } from '../explanations.ts';
import { commandTexts, describeFlag } from '../help-text.ts';

const scripts = { bash: formatBashScript, zsh: formatZshScript, fish: formatFishScript };

export const runCompletionCommand: Command<'completion'> = async ({ shell }, io) => {
  await io.stdout.write(scripts[shell](), 'exact');
  return ok;
};

interface DescribedFlag extends Flag {
  readonly description: string;
}

/** A row of the command table, as completion scripts need it. */
interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly DescribedFlag[];
  /** Words to offer for the operand. */
  readonly operands: readonly string[];
  /** Whether the operand may be a file. */
  readonly files: boolean;
  /** Whether there may be several operands. */
  readonly many: boolean;
}

function listCompletedCommands(): readonly CompletedCommand[] {
  return (Object.entries(commands) as [CommandName, CommandRow][]).map(([name, { flags, operand }]) => ({
    name,
    summary: commandTexts[name].summary,
    flags: [...flags, ...commonFlags]
      .map((flag) => ({ ...flag, description: describeFlag(name, flag.name) }))
      .flatMap((flag) => [flag, ...negateFlag(flag)]),
    operands: listOperandWords(operand),
    files: operand?.completes?.includes('files') ?? false,
    many: operand?.many ?? false,
  }));
}

/** The `--no-` form, as a flag of its own. */
function negateFlag({ name, negatable, description }: DescribedFlag): readonly DescribedFlag[] {
  return negatable ? [{ name: `no-${name}`, description: `not: ${description}` }] : [];
}

function listOperandWords(operand: Operand | undefined): readonly string[] {
  switch (operand?.completes) {
    case 'ids or files':
      return listLibraryIds();
    case 'codes, ids or files':
      return [...explainedCodes, ...listLibraryIds()];
    case 'commands':
      return Object.keys(commands);
    case 'agents':
      return builtInAgentNames;
    default:
      return operand?.choices ?? [];
  }
}

/** The ids of the installed library. Users generate the script again after an update. */
function listLibraryIds(): readonly string[] {
  const library = openLibrary();
  return library.ok ? library.documents.map(({ id }) => id) : [];
}

/** The words to offer for the value of a flag; files if there are none. */
function listFlagOffers({ choices, offers }: Flag): readonly string[] | undefined {
  return choices ?? offers;
}

function listSpellings({ name, short }: Flag): readonly string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}

function formatBashScript(): string {
  const commands = listCompletedCommands();
  const cases = commands.map(({ name, flags, operands, files }) => {
    const valued = flags
      .filter(({ value }) => value !== undefined)
      .map((flag) => {
        const words = listFlagOffers(flag);
        const offer = words
          ? `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))`
          : 'COMPREPLY=($(compgen -f -- "$word"))';
        return `        ${listSpellings(flag).join('|')}) ${offer}; return ;;\n`;
      });
    const words = flags.flatMap(listSpellings).join(' ');
    return (
      `    ${name})\n` +
      `${valued.length === 0 ? '' : `      case "$before" in\n${valued.join('')}      esac\n`}` +
      `      flags='${words}'\n` +
      `      operands='${operands.join(' ')}' files='${files ? 1 : ''}' ;;\n`
    );
  });
  return `# bash completion for oatf; source it from ~/.bashrc
_oatf() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags='' operands='' files=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('')}    *) return ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *)
      COMPREPLY=($(compgen -W "$operands" -- "$word"))
      if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -o filenames -F _oatf oatf
`;
}

function formatZshScript(): string {
  const commands = listCompletedCommands();
  const described = commands.map(({ name, summary }) => `    ${quoteForZsh(`${name}:${summary}`)}\n`);
  const cases = commands.map(({ name, flags, operands, files, many }) => {
    const specs = [...flags.flatMap(formatZshFlag), ...formatZshOperands(operands, files, many)];
    return `    ${name})\n      _arguments \\\n${specs.map((spec) => `        ${spec}`).join(' \\\n')} ;;\n`;
  });
  return `#compdef oatf
# zsh completion for oatf; save it as _oatf in a folder of $fpath
_oatf() {
  local -a commands
  commands=(
${described.join('')}  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    compadd -- --help --version
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('')}  esac
}
if [ "$funcstack[1]" = "_oatf" ]; then _oatf "$@"; else compdef _oatf oatf; fi
`;
}

function formatZshOperands(operands: readonly string[], files: boolean, many: boolean): readonly string[] {
  if (operands.length === 0) return files ? [`'*:file:_files'`] : [];
  if (!files) return [`'${many ? '*' : '1'}:argument:(${operands.join(' ')})'`];
  return [`'${many ? '*' : '1'}:argument:{compadd -- ${operands.join(' ')}; _files}'`];
}

function formatZshFlag(flag: DescribedFlag): readonly string[] {
  const { description, value, many } = flag;
  const words = listFlagOffers(flag);
  const explained = `[${description.replace(/[[\]:]/g, '\\$&')}]`;
  const asked = value === undefined ? '' : `:${value}:${words ? `(${words.join(' ')})` : '_files'}`;
  return listSpellings(flag).map((spelling) => quoteForZsh(`${many ? '*' : ''}${spelling}${explained}${asked}`));
}

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function formatFishScript(): string {
  const commands = listCompletedCommands();
  const lines = commands.flatMap(({ name, summary, flags, operands, files }) => [
    `complete -c oatf -n __fish_use_subcommand -f -a ${name} -d ${quoteForFish(summary)}`,
    ...flags.map(
      (flag) => `complete -c oatf -n ${quoteForFish(`__fish_seen_subcommand_from ${name}`)} ${formatFishFlag(flag)}`,
    ),
    ...(operands.length === 0
      ? []
      : [
          `complete -c oatf -n ${quoteForFish(`__fish_seen_subcommand_from ${name}`)}${files ? '' : ' -f'} -a ${quoteForFish(operands.join(' '))}`,
        ]),
  ]);
  return `# fish completion for oatf; save it as ~/.config/fish/completions/oatf.fish
complete -c oatf -n __fish_use_subcommand -s h -l help -d 'print help'
complete -c oatf -n __fish_use_subcommand -s V -l version -d 'print the version'
${lines.join('\n')}
`;
}

function formatFishFlag(flag: DescribedFlag): string {
  const { name, short, value, description } = flag;
  const words = listFlagOffers(flag);
  const takes = value === undefined ? '' : words ? ` -x -a ${quoteForFish(words.join(' '))}` : ' -r';
  return `${short === undefined ? '' : `-s ${short} `}-l ${name}${takes} -d ${quoteForFish(description)}`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
