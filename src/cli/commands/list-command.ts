import type { SeverityLevel } from '../../format/model/enumeration-types.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { count } from '../../report/count-text.ts';
import { cropEnd, measureWidth, pad } from '../../report/text-width.ts';
import type { DocumentSummary } from '../../suite/library/document-summary.ts';
import { applyFilters } from '../../suite/library/filters.ts';
import { type Exit, findMostSevereExit } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { type Colours, complain, type Io, type Sink } from '../io.ts';
import { type CatalogueItem, findListedSources, inspectSources, isSearchWord } from '../library/catalogue.ts';

import { version } from '../version.ts';

export const runListCommand: Command<'list'> = async (values, io) => {
  const words = values.documents.filter((operand) => isSearchWord(operand, io.cwd));
  const named = values.documents.filter((operand) => !words.includes(operand));
  const found = await findListedSources(named, io);
  if (found.kind === 'failed') return found.outcome;
  const items = await inspectSources(found.sources, io);
  const passed = applyFilters(items, values, words);
  if (!passed.ok) {
    const flag = passed.filter === undefined ? '' : `--${passed.filter}: `;
    return complain(io, 'usage', `list: ${flag}${passed.message}`, passed.hint);
  }
  const rows = passed.items.flatMap(({ file, about }) => (about.ok ? [{ file, summary: about.summary }] : []));
  const total = items.filter(({ about }) => about.ok).length;
  const exits: Exit[] = [];
  for (const item of items) exits.push(...(await reportTrouble(item, io)));
  // Without any document, the errors say everything.
  if (total > 0 || exits.length === 0 || values.json)
    await io.stdout.write(values.json ? listToJson(rows, total) : listToText(rows, total, io.stdout));
  return findMostSevereExit(exits);
};

/** The shape is documented in the help; fields are only ever added. */
function listToJson(rows: readonly ListRow[], total: number): string {
  const documents = rows.map(({ summary, file }) => ({ ...summary, file }));
  return `${JSON.stringify({ version: 1, tool: { name: 'oatf', version }, documents, total }, null, 2)}\n`;
}

async function reportTrouble({ source, about }: CatalogueItem, io: Io): Promise<readonly Exit[]> {
  if (about.ok) return [];
  const message = `${source.name}: ${escapeInvisible(about.reason)}`;
  const complaint =
    source.kind === 'read' && source.read.kind === 'unreadable'
      ? complain(io, 'unreadable', message, source.read.hint)
      : complain(io, 'invalid', message, 'it is not listed; oatf validate says more');
  return [(await complaint).exit];
}

interface Column {
  readonly title: string;
  readonly text: (summary: DocumentSummary, file: string) => string;
  readonly colour?: (text: string, summary: DocumentSummary, colours: Colours) => string;
  /** Columns with a number are dropped if there is little room; the highest number goes first. */
  readonly dispensable?: number;
}

const columns: readonly Column[] = [
  { title: 'ID', text: ({ id }, file) => id ?? file, colour: (text, _, { cyan }) => cyan(text) },
  {
    title: 'SEVERITY',
    text: ({ severity }) => severity ?? '-',
    colour: (text, { severity }, colours) => (severity === undefined ? text : severityColours[severity](text, colours)),
  },
  { title: 'PROTOCOLS', text: ({ protocols }) => protocols.join(', ') || '-', dispensable: 1 },
  { title: 'CATEGORY', text: ({ category }) => category ?? '-', dispensable: 2 },
  { title: 'NAME', text: ({ name }) => name },
];

const severityColours: {
  readonly [S in SeverityLevel]: (text: string, colours: Colours) => string;
} = {
  informational: (text, { dim }) => dim(text),
  low: (text, { cyan }) => cyan(text),
  medium: (text, { yellow }) => yellow(text),
  high: (text, { red }) => red(text),
  critical: (text, { red, bold }) => bold(red(text)),
};

const gap = 2;
const leastName = 30;

export interface ListRow {
  readonly summary: DocumentSummary;
  readonly file: string;
}

/** A line for each document, as wide as the terminal; in a pipe nothing is cut. */
export function listToText(rows: readonly ListRow[], total: number, sink: Sink): string {
  const all = count(total, 'document', 'documents');
  const counted = rows.length === total ? all : `${rows.length} of ${all}`;
  if (rows.length === 0) return `${counted}${total === 0 ? '' : ': none passes all of these filters'}\n`;
  return `${formatListTable(rows, sink)}\n${counted}\n`;
}

function formatListTable(rows: readonly ListRow[], { colours, columns: width, isTTY }: Sink): string {
  const cells = rows.map(({ summary, file }) => ({
    summary,
    texts: columns.map(({ text }) => escapeInvisible(text(summary, file))),
  }));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map(({ texts }) => measureWidth(texts[index] ?? ''))),
  );
  const shown = isTTY ? selectFittingColumns(widths, width) : columns.map((_, index) => index);
  const last = shown.at(-1);
  const before = shown.slice(0, -1).reduce((sum, index) => sum + (widths[index] ?? 0) + gap, 0);
  const line = (texts: readonly string[], paint: (text: string, index: number) => string): string =>
    `${shown
      .map((index) => {
        const text = texts[index] ?? '';
        if (index === last) return paint(isTTY ? cropEnd(text, Math.max(width - before, 8)) : text, index);
        // Colours take no columns, so the padding is computed without them.
        return paint(text, index) + pad('', (widths[index] ?? 0) + gap - measureWidth(text));
      })
      .join('')}\n`;
  return (
    line(
      columns.map(({ title }) => title),
      (text) => colours.dim(text),
    ) +
    cells
      .map(({ summary, texts }) =>
        line(texts, (text, index) => columns[index]?.colour?.(text, summary, colours) ?? text),
      )
      .join('')
  );
}

function selectFittingColumns(widths: readonly number[], width: number): readonly number[] {
  let shown = columns.map((_, index) => index);
  const taken = (): number =>
    shown.slice(0, -1).reduce((sum, index) => sum + (widths[index] ?? 0) + gap, 0) +
    Math.min(leastName, widths.at(-1) ?? 0);
  while (taken() > width) {
    const [next] = shown
      .filter((index) => columns[index]?.dispensable !== undefined)
      .sort((a, b) => (columns[b]?.dispensable ?? 0) - (columns[a]?.dispensable ?? 0));
    if (next === undefined) break;
    shown = shown.filter((index) => index !== next);
  }
  return shown;
}
