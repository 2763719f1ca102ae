import type { Flag } from '../table.ts';
import { completedCommands, offersOf, spellings } from './words.ts';

export function zshScript(): string {
  const commands = completedCommands();
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}\n`);
  const cases = commands.map(({ name, flags, operands, files, many }) => {
    const specs = [...flags.flatMap(specsOf), ...operandSpecs(operands, files, many)];
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

function operandSpecs(operands: readonly string[], files: boolean, many: boolean): readonly string[] {
  if (operands.length === 0) return files ? [`'*:file:_files'`] : [];
  if (!files) return [`'${many ? '*' : '1'}:argument:(${operands.join(' ')})'`];
  return [`'${many ? '*' : '1'}:argument:{compadd -- ${operands.join(' ')}; _files}'`];
}

function specsOf(flag: Flag): readonly string[] {
  const { description, value, many } = flag;
  const words = offersOf(flag);
  const told = `[${description.replace(/[[\]:]/g, '\\$&')}]`;
  const asked = value === undefined ? '' : `:${value}:${words ? `(${words.join(' ')})` : '_files'}`;
  return spellings(flag).map((spelling) => quote(`${many ? '*' : ''}${spelling}${told}${asked}`));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
