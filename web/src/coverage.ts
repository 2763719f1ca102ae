import type { CoverageEntry, PieceEntry } from '../../src/format/model/results-file.ts';
import type { DocumentPart, RunPart } from '../../src/report/html/page-data.ts';
import { h, place } from './dom.ts';
import { badge } from './parts.ts';
import { sourceLink } from './route.ts';
import { plural } from './words.ts';

// Shows which pieces of a document reached the agent, like test coverage.

const demandWords: { readonly [demand: string]: string } = {
  payload: 'all that the attack needs had to reach the agent',
  strict: 'all that the attack needs had to reach the agent, and it had to use every server',
  reached: 'something of each actor had to reach the agent, and no more',
};

/** The demanded delivery in words, such as `payload: all that the attack needs had to reach the agent`. */
export function demandInWords(demand: string): string {
  const words = Object.hasOwn(demandWords, demand) ? demandWords[demand] : undefined;
  return words === undefined ? demand : `${demand}: ${words}`;
}

/** A piece is identified by its actor and its place in that actor. */
export function pieceKey({ actor, at }: { readonly actor: string; readonly at: string }): string {
  return `${actor} ${at}`;
}

export function coverageSection(
  run: number,
  { coverage, demand }: RunPart,
  source: DocumentPart | undefined,
): HTMLElement | undefined {
  if (coverage === undefined) return undefined;
  const { pieces, inferred, delivered, of } = coverage;
  return h(
    'section',
    { class: 'coverage', 'aria-labelledby': 'coverage-title' },
    h('h2', { id: 'coverage-title' }, 'Coverage'),
    h(
      'p',
      { class: 'measure' },
      coverageBar(delivered, of),
      h('span', {}, h('b', {}, `${delivered} of ${plural(of, 'piece', 'pieces')}`), ' reached the agent'),
    ),
    h(
      'p',
      { class: 'note dim' },
      demand !== undefined && `Delivery ${demandInWords(demand)}. `,
      inferred
        ? 'What it needs was inferred: the document does not mark its attack.'
        : 'The document marks the attack.',
    ),
    unplayedList(coverage),
    list(pieces.filter((piece) => !piece.delivered)),
    delivered > 0 &&
      h(
        'details',
        { open: delivered === of && of <= mostOpen },
        h('summary', {}, `${plural(delivered, 'piece', 'pieces')} that reached the agent`),
        list(pieces.filter((piece) => piece.delivered)),
      ),
  );

  function list(some: readonly PieceEntry[]): HTMLElement | undefined {
    return some.length === 0
      ? undefined
      : h(
          'ul',
          { class: 'pieces' },
          [...some].sort(neededFirst).map((piece) => pieceItem(run, piece, source)),
        );
  }
}

/** The delivered pieces are unfolded only if nothing is missing and there are no more than this. */
const mostOpen = 6;

function coverageBar(delivered: number, of: number): HTMLElement {
  return h(
    'span',
    { class: 'bar coverage-bar', 'aria-hidden': 'true' },
    place(h('span', { class: 'bar-fill' }), { width: `${of === 0 ? 0 : (delivered / of) * 100}%` }),
  );
}

/** Missing parts that are not pieces: parts of the document that no binding plays. */
function unplayedList({ missing, pieces }: CoverageEntry): HTMLElement | undefined {
  const told = new Set(pieces.flatMap(({ reason }) => reason ?? []));
  const others = missing.filter((reason) => !told.has(reason));
  return others.length === 0
    ? undefined
    : h(
        'ul',
        {},
        others.map((reason) => h('li', { class: 'trouble' }, reason)),
      );
}

function neededFirst(a: PieceEntry, b: PieceEntry): number {
  return Number(b.needed) - Number(a.needed);
}

function pieceItem(run: number, piece: PieceEntry, source: DocumentPart | undefined): HTMLElement {
  const { label, phase, actor, needed, reason, delivered } = piece;
  const line = source?.pieces.find((each) => pieceKey(each) === pieceKey(piece))?.line;
  return h(
    'li',
    {},
    h(
      'p',
      { class: 'piece-head' },
      badge(delivered ? 'reached' : 'not_reached'),
      h('span', {}, label),
      needed && h('span', { class: 'tier' }, 'needed'),
      line !== undefined && h('span', { class: 'links' }, h('a', { href: sourceLink(run, line) }, `line ${line}`)),
    ),
    h('p', { class: 'dim' }, `${actor}, ${phase}`, reason !== undefined && `: ${whyOf(piece)}`),
  );
}

/** A reason without its label, because the label already stands before it. */
export function whyOf({ reason = '', label }: PieceEntry): string {
  return reason.startsWith(`${label} `) ? reason.slice(label.length + 1) : reason;
}
