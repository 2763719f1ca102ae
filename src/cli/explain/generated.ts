import { commonKeys } from '../../generate/check-entry.ts';
import { generatorOf } from '../../generate/kinds.ts';
import { type GenerateEntry, generatingPhases } from '../../marks/read-generate.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { visible } from '../../report/visible.ts';
import { type Page, row } from '../terminal/page.ts';
import { quote } from './words.ts';

const indent = '     ';

/** Describes the values that are generated while they are sent; empty if there are none. */
export function describeGenerated(document: NormalizedDocument, page: Page): readonly string[] {
  const generating = generatingPhases(document);
  if (generating.length === 0) return [];
  const head = `${page.colours.bold('Generated while it is sent')}\n`;
  const entries = generating.flatMap(({ actor, phase, entries }) =>
    entries.map((entry) => describeEntry(`${actor}, ${phase.name}`, entry, page)),
  );
  return [head + entries.join('')];
}

function describeEntry(owner: string, entry: GenerateEntry, page: Page): string {
  const { at, kind, before, after, as } = entry;
  const parameters = Object.entries(entry).filter(
    ([key]) => !(commonKeys as readonly string[]).includes(key),
  );
  const given = parameters.map(([key, value]) => `${key} ${quote(value)}`).join(', ');
  const says = generatorOf(kind)?.says ?? kind;
  const around = [
    ...(before === undefined ? [] : [row('before it', quote(before), page, indent)]),
    ...(after === undefined ? [] : [row('after it', quote(after), page, indent)]),
  ];
  return (
    `  ${page.colours.cyan(visible(at))}  ${page.colours.dim(visible(owner))}\n` +
    `${row(visible(kind), `${says}${as === 'text' ? ', as a text' : ''}${given === '' ? '' : `: ${given}`}`, page, indent)}` +
    around.join('')
  );
}
