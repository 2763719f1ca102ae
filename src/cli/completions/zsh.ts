import type { Flag } from '../command-row.ts';
import { listCompletedCommands, listFlagOffers, listSpellings } from './completed-commands.ts';

export function formatZshScript(): string {
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

function formatZshFlag(flag: Flag): readonly string[] {
  const { description, value, many } = flag;
  const words = listFlagOffers(flag);
  const told = `[${description.replace(/[[\]:]/g, '\\$&')}]`;
  const asked = value === undefined ? '' : `:${value}:${words ? `(${words.join(' ')})` : '_files'}`;
  return listSpellings(flag).map((spelling) => quoteForZsh(`${many ? '*' : ''}${spelling}${told}${asked}`));
}

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
