import { evaluateTrace } from '../../evaluate-trace.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { count } from '../../report/words.ts';
import { type Page, row } from '../terminal/page.ts';

const indent = '     ';

/** What the document can put on the wire, and what of it must reach an agent before that can have resisted. */
export function describePieces(document: NormalizedDocument, page: Page): string {
  // Nothing has been sent yet, so this is what there is to cover.
  const { pieces, inferred } = evaluateTrace(document, [], { cel: null }).coverage;
  if (pieces.length === 0) return 'It has nothing that could be put on the wire.\n';
  const needed = pieces.filter((piece) => piece.needed).length;
  const head =
    `${page.colours.bold('What there is to cover')}: ${count(pieces.length, 'piece', 'pieces')}, ` +
    `${needed} needed ${inferred ? 'as far as can be inferred' : 'as marked'}\n`;
  return (
    head +
    groupsOf(pieces)
      .map((group) => describeGroup(group, page))
      .join('')
  );
}

type Pieces = ReturnType<typeof evaluateTrace>['coverage']['pieces'];

/** Pieces of one phase together, in the order of the document. */
function groupsOf(pieces: Pieces): readonly Pieces[] {
  const groups = new Map<string, Pieces[number][]>();
  for (const piece of pieces) {
    const key = `${piece.actor}\n${piece.phase}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [piece]);
    else group.push(piece);
  }
  return [...groups.values()];
}

function describeGroup(pieces: Pieces, page: Page): string {
  const [first] = pieces;
  const owner = `${first?.actor}, ${first?.phase}`;
  return (
    `${row('', owner, { ...page, labels: 2 })}` +
    pieces.map(({ label, needed }) => row(needed ? 'needed' : '', label, page, indent)).join('')
  );
}
