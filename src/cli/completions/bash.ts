import { listCompletedCommands, listFlagOffers, listSpellings } from './completed-commands.ts';

export function formatBashScript(): string {
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
