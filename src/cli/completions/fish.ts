import type { Flag } from '../table.ts';
import { completedCommands, offersOf } from './words.ts';

export function fishScript(): string {
  const commands = completedCommands();
  const lines = commands.flatMap(({ name, summary, flags, operands, files }) => [
    `complete -c oatf -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...flags.map(
      (flag) => `complete -c oatf -n ${quote(`__fish_seen_subcommand_from ${name}`)} ${specOf(flag)}`,
    ),
    ...(operands.length === 0
      ? []
      : [
          `complete -c oatf -n ${quote(`__fish_seen_subcommand_from ${name}`)}${files ? '' : ' -f'} -a ${quote(operands.join(' '))}`,
        ]),
  ]);
  return `# fish completion for oatf; save it as ~/.config/fish/completions/oatf.fish
complete -c oatf -n __fish_use_subcommand -s h -l help -d 'print help'
complete -c oatf -n __fish_use_subcommand -s V -l version -d 'print the version'
${lines.join('\n')}
`;
}

function specOf(flag: Flag): string {
  const { name, short, value, description } = flag;
  const words = offersOf(flag);
  const takes = value === undefined ? '' : words ? ` -x -a ${quote(words.join(' '))}` : ' -r';
  return `${short === undefined ? '' : `-s ${short} `}-l ${name}${takes} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
