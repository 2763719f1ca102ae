import { excerpt } from '../evaluate/outcome.ts';
import { evaluationError } from '../model/errors.ts';
import type { SeenThrough, SeeThrough } from '../model/extension-points.ts';
import { monotonicMs } from '../model/monotonic.ts';
import { textOf } from '../primitives/compact-json.ts';
import { compileWildcardPath } from '../primitives/resolve-wildcard-path.ts';
import { keysIn, leavesOf } from './leaves.ts';
import { type LookedFor, lookFor } from './looked-for.ts';
import { joinPieces } from './pieces.ts';
import { type Sight, search } from './search.ts';

/** The time that one indicator may spend on disguises over all messages of a run, in milliseconds. */
const searchMs = 10_000;

/** Looks for a pattern behind disguises, in each message and in the joined messages of each actor. */
export const seeThrough: SeeThrough = ({ target, condition }, expressionMs) => {
  const path = compileWildcardPath(target);
  const wanted = lookFor(condition, expressionMs);
  const pieces = joinPieces();
  let spentMs = 0;
  let isLeftOut = false;
  return (message, source) => {
    const began = monotonicMs();
    const isLate = (): boolean => spentMs + monotonicMs() - began > searchMs;
    let seen: SeenThrough | undefined;
    for (const { path: place, value } of path.located(message)) {
      const { leaves, isCut } = leavesOf(value);
      isLeftOut ||= isCut;
      const texts = leaves.map(({ text }) => text);
      const sight =
        searchEach(texts, wanted, isLate) ??
        searchEach(keysIn(leaves), wanted, isLate) ??
        pieces.searchWith(source, leaves, wanted, isLate);
      if (sight === undefined) continue;
      seen = seenAt(sight, place, textOf(value, 'sorted').length);
      break;
    }
    const wasLate = isLate();
    spentMs += monotonicMs() - began;
    if (seen !== undefined) return seen;
    if (wasLate) return outOfTime;
    return isLeftOut || pieces.hasLost() ? tooManyFields : undefined;
  };
};

/** Searches the texts joined. A short pattern cannot be joined from several texts, so it is also searched in each text. */
function searchEach(texts: readonly string[], wanted: LookedFor, isLate: () => boolean): Sight | undefined {
  const seen = search(texts.join('\n'), wanted.joined, isLate);
  if (seen !== undefined || wanted.joined === wanted) return seen;
  for (const text of texts) {
    const alone = search(text, wanted, isLate);
    if (alone !== undefined || isLate()) return alone;
  }
  return undefined;
}

const outOfTime = evaluationError(
  'regex_timeout',
  `looking behind disguises took longer than ${searchMs} ms`,
);

const tooManyFields = evaluationError(
  'path_resolution',
  'the messages have more fields than are looked through for disguises, so something may have been missed',
);

/** A disguised match has no offsets of its own, so the match covers the whole value. */
function seenAt({ found, disguises }: Sight, path: string, length: number): SeenThrough {
  const behind = disguises.length === 0 ? 'several fields' : disguises.join(', ');
  return {
    evidence: `disguised (${behind}): ${excerpt(found.text, found.from, found.to)}`,
    match: { path, from: 0, to: length },
  };
}
