import { table } from '../escape.ts';
import type { Source } from '../source.ts';

export function decisionList(files: readonly Source[]): Source {
  const rows = files
    .filter(({ path }) => path.startsWith('decisions/'))
    .map(({ path, markdown }) => {
      const title = /^# \d+ (.*)$/m.exec(markdown)?.[1] ?? path;
      return [path.slice('decisions/'.length).slice(0, 3), `[${title}](/${path})`];
    });
  return {
    path: 'decisions/index',
    markdown: `# Decisions\n\nWhat was decided, and why, one page each. What a later decision has replaced is mended in the earlier one.\n\n${table(['number', 'decision'], rows)}`,
  };
}
