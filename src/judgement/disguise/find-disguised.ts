import { readWork } from '../../format/expression/counted-work.ts';
import { formatSteps } from '../../format/expression/evaluation-limits.ts';
import { createEvaluationError } from '../../format/model/errors.ts';
import type { DisguisedMatch, DisguiseFinder } from '../../format/model/extension-points.ts';
import { formatAsText } from '../../format/primitives/compact-json.ts';
import { compileWildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';
import { excerptMatch } from '../evaluate/indicator-outcome.ts';
import { createJoinedTexts, listLeafKeys, listTextLeaves } from './joined-texts.ts';
import { createProofSearch } from './proof-search.ts';
import { type DisguiseMatch, searchDisguised } from './search.ts';
import { createTextSearch, type TextSearch } from './text-search.ts';

/** The steps that one indicator may take on disguises over all messages of a run. */
const searchSteps = 500_000_000;

/** Looks for a pattern behind disguises, in each message and in the joined messages of each actor. */
export const findDisguised: DisguiseFinder = ({ target, condition }, expressionSteps, proofs) => {
  const path = compileWildcardPath(target);
  const wanted =
    proofs === undefined || proofs.length === 0
      ? createTextSearch(condition, expressionSteps)
      : createProofSearch(proofs);
  const pieces = createJoinedTexts();
  let spent = 0;
  let isLeftOut = false;
  return (message, source) => {
    const began = readWork();
    const isLate = (): boolean => spent + readWork() - began > searchSteps;
    let seen: DisguisedMatch | undefined;
    for (const { path: place, value } of path.located(message)) {
      const { leaves, isCut } = listTextLeaves(value);
      isLeftOut ||= isCut;
      const texts = leaves.map(({ text }) => text);
      const sight =
        searchEach(texts, wanted, isLate) ??
        searchEach(listLeafKeys(leaves), wanted, isLate) ??
        pieces.searchWith(source, leaves, wanted, isLate);
      if (sight === undefined) continue;
      seen = toSeenThrough(sight, place, formatAsText(value, 'sorted').length);
      break;
    }
    const wasLate = isLate();
    spent += readWork() - began;
    if (seen !== undefined) return seen;
    if (wasLate) return tooMuchWork;
    return isLeftOut || pieces.hasLost() ? tooManyFields : undefined;
  };
};

/** Searches the texts joined. A short pattern cannot be joined from several texts, so it is also searched in each text. */
function searchEach(texts: readonly string[], wanted: TextSearch, isLate: () => boolean): DisguiseMatch | undefined {
  const seen = searchDisguised(texts.join('\n'), wanted.joined, isLate);
  if (seen !== undefined || wanted.joined === wanted) return seen;
  for (const text of texts) {
    const alone = searchDisguised(text, wanted, isLate);
    if (alone !== undefined || isLate()) return alone;
  }
  return undefined;
}

const tooMuchWork = createEvaluationError(
  'regex_timeout',
  `looking behind disguises takes more than ${formatSteps(searchSteps)} steps`,
);

const tooManyFields = createEvaluationError(
  'path_resolution',
  'the messages have more fields than are looked through for disguises, so something may have been missed',
);

/** A disguised match has no offsets of its own, so the match covers the whole value. */
function toSeenThrough({ found, disguises }: DisguiseMatch, path: string, length: number): DisguisedMatch {
  const behind = disguises.length === 0 ? 'several fields' : disguises.join(', ');
  return {
    evidence: `disguised (${behind}): ${excerptMatch(found.text, found.from, found.to)}`,
    match: { path, from: 0, to: length },
  };
}
