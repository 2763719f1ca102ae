import { evaluateTrace } from '../../evaluate-trace.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { count } from '../../report/count-text.ts';
import { formatLabelledRow, type Page } from '../terminal/page.ts';

const indent = '     ';

/** The pieces of the document, and which of them must reach an agent before it can have resisted. */
export function describePieces(document: NormalizedDocument, page: Page): string {
  // Nothing has been sent yet, so the coverage lists every piece.
  const { pieces, inferred } = evaluateTrace(document, [], { cel: null }).coverage;
  if (pieces.length === 0) return 'It has nothing that could be sent.\n';
  const needed = pieces.filter((piece) => piece.needed).length;
  const head =
    `${page.colours.bold('Pieces to cover')}: ${count(pieces.length, 'piece', 'pieces')}, ` +
    `${needed} needed ${inferred ? 'as far as can be inferred' : 'as marked'}\n`;
  return (
    head +
    groupPieces(pieces)
      .map((group) => describeGroup(group, page))
      .join('')
  );
}

type Pieces = ReturnType<typeof evaluateTrace>['coverage']['pieces'];

/** Groups the pieces by phase, in the order of the document. */
function groupPieces(pieces: Pieces): readonly Pieces[] {
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
    `${formatLabelledRow('', owner, { ...page, labels: 2 })}` +
    pieces.map(({ label, needed }) => formatLabelledRow(needed ? 'needed' : '', label, page, indent)).join('')
  );
}
