import { excerpt } from '../evaluate/outcome.ts';
import { evaluationError } from '../model/errors.ts';
import type { SeenThrough, SeeThrough } from '../model/extension-points.ts';
import { textOf } from '../primitives/compact-json.ts';
import { compileWildcardPath } from '../primitives/resolve-wildcard-path.ts';
import { keysIn, leavesOf } from './leaves.ts';
import { lookFor } from './looked-for.ts';
import { joinPieces } from './pieces.ts';
import { type Sight, search } from './search.ts';

/** Milliseconds that one indicator may look behind disguises, all messages of a run together. */
const searchMs = 10_000;

/** Looks for a pattern behind disguises, in each message and in what the messages of one actor are together. */
export const seeThrough: SeeThrough = ({ target, condition }, expressionMs) => {
  const path = compileWildcardPath(target);
  const wanted = lookFor(condition, expressionMs);
  const pieces = joinPieces();
  let spentMs = 0;
  return (message, source) => {
    const began = Date.now();
    const isLate = (): boolean => spentMs + Date.now() - began > searchMs;
    let seen: SeenThrough | undefined;
    for (const { path: place, value } of path.located(message)) {
      const leaves = leavesOf(value);
      const sight =
        search(leaves.map(({ text }) => text).join('\n'), wanted, isLate) ??
        search(keysIn(leaves), wanted, isLate) ??
        pieces.searchWith(source, leaves, wanted, isLate);
      if (sight === undefined) continue;
      seen = seenAt(sight, place, textOf(value, 'sorted').length);
      break;
    }
    const wasLate = isLate();
    spentMs += Date.now() - began;
    return seen ?? (wasLate ? outOfTime : undefined);
  };
};

const outOfTime = evaluationError(
  'regex_timeout',
  `looking behind disguises took longer than ${searchMs} ms`,
);

/** What is disguised has no place of its own in the value, so the value is the place. */
function seenAt({ found, disguises }: Sight, path: string, length: number): SeenThrough {
  const behind = disguises.length === 0 ? 'several fields' : disguises.join(', ');
  return {
    evidence: `disguised (${behind}): ${excerpt(found.text, found.from, found.to)}`,
    match: { path, from: 0, to: length },
  };
}
