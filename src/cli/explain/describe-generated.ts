import { type GenerateEntry, listGeneratingPhases } from '../../format/extensions/read-generate.ts';
import { commonKeys } from '../../format/generate/check-entry.ts';
import { findGenerator } from '../../format/generate/kinds.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { formatLabelledRow, type Page } from '../terminal/page.ts';
import { quoteBriefly } from './describe-parts.ts';

const indent = '     ';

/** Describes the values that are generated while they are sent; empty if there are none. */
export function describeGenerated(document: NormalizedDocument, page: Page): readonly string[] {
  const generating = listGeneratingPhases(document);
  if (generating.length === 0) return [];
  const head = `${page.colours.bold('Generated while it is sent')}\n`;
  const entries = generating.flatMap(({ actor, phase, entries }) =>
    entries.map((entry) => describeEntry(`${actor}, ${phase.name}`, entry, page)),
  );
  return [head + entries.join('')];
}

function describeEntry(owner: string, entry: GenerateEntry, page: Page): string {
  const { at, kind, before, after, as } = entry;
  const parameters = Object.entries(entry).filter(([key]) => !(commonKeys as readonly string[]).includes(key));
  const given = parameters.map(([key, value]) => `${key} ${quoteBriefly(value)}`).join(', ');
  const says = findGenerator(kind)?.says ?? kind;
  const around = [
    ...(before === undefined ? [] : [formatLabelledRow('before it', quoteBriefly(before), page, indent)]),
    ...(after === undefined ? [] : [formatLabelledRow('after it', quoteBriefly(after), page, indent)]),
  ];
  return (
    `  ${page.colours.cyan(escapeInvisible(at))}  ${page.colours.dim(escapeInvisible(owner))}\n` +
    `${formatLabelledRow(escapeInvisible(kind), `${says}${as === 'text' ? ', as a text' : ''}${given === '' ? '' : `: ${given}`}`, page, indent)}` +
    around.join('')
  );
}
