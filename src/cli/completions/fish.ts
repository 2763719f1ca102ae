import type { Flag } from '../command-row.ts';
import { listCompletedCommands, listFlagOffers } from './completed-commands.ts';

export function formatFishScript(): string {
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

function formatFishFlag(flag: Flag): string {
  const { name, short, value, description } = flag;
  const words = listFlagOffers(flag);
  const takes = value === undefined ? '' : words ? ` -x -a ${quoteForFish(words.join(' '))}` : ' -r';
  return `${short === undefined ? '' : `-s ${short} `}-l ${name}${takes} -d ${quoteForFish(description)}`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
