import { collectCodeFacts } from '../../../src/cli/explain/code.ts';
import { explainedCodes } from '../../../src/cli/explanations.ts';
import { table, words } from '../escape.ts';
import type { Source } from '../source.ts';

type Data = ReturnType<typeof collectCodeFacts>;

const groups = [
  ['V', 'Rules of the format', 'What a document must obey. Some only warn.'],
  ['O', 'Rules of this tool', 'For what the format asks without giving it an id, and for our extensions.'],
  ['W', 'Warnings of the format', 'The document is played all the same.'],
  ['N', 'Steps of normalization', 'No mistakes: what a shorter form of a document means.'],
  ['', 'Parsing', 'The text could not be read as a document.'],
] as const;

/** A page for each diagnostic and one that lists them, from docs/codes and the tables behind `oatf explain`. */
export function diagnosticPages(): readonly Source[] {
  const every = explainedCodes.toSorted().map(collectCodeFacts);
  return [list(every), ...every.map(diagnosticPage)];
}

function list(every: readonly Data[]): Source {
  const parts = groups.map(([letter, title, says]) => {
    const rows = every
      .filter(({ code }) => (letter === '' ? !code.includes('-') : code.startsWith(`${letter}-`)))
      .map(({ code, title }) => [`[${words(code)}](/reference/diagnostics/${code})`, words(title)]);
    return `## ${title}\n\n${says}\n\n${table(['code', 'what it is'], rows)}`;
  });
  return {
    path: 'reference/diagnostics/index',
    markdown: `# Diagnostics\n\nEvery message about a document carries a code. \`oatf explain CODE\` says on the terminal what these pages say.\n\n${parts.join('\n')}`,
  };
}

function diagnosticPage({ code, kind, clause, asks, title, why, wrong, right }: Data): Source {
  const [first, second] = kind === 'normalization' ? ['Before', 'After'] : ['Wrong', 'Right'];
  const rule = asks === undefined ? '' : `: ${words(asks)}`;
  const level = kind === 'normalization' ? '' : `\n- **Level:** ${kind}`;
  return {
    path: `reference/diagnostics/${code}`,
    markdown: [
      `# ${words(code)}: ${words(title)}\n\n${words(why)}\n`,
      `- **Clause:** ${words(clause)}${rule}${level}\n`,
      `## ${first}\n\n${fenced(wrong, right)}`,
      `## ${second}\n\n${fenced(right, wrong)}`,
    ].join('\n'),
  };
}

/** Marks the lines that the other document does not have. */
function fenced(text: string, other: string): string {
  const lines = text.trimEnd().split('\n');
  const others = new Set(other.split('\n'));
  const changed = lines.flatMap((line, index) => (others.has(line) ? [] : index + 1));
  return `\`\`\`yaml changed ${changed.join(' ')}\n${lines.join('\n')}\n\`\`\`\n`;
}
