import type { OfferedTool } from '../model.ts';
import { promptPrefix } from '../offers.ts';
import { actionsOfStem } from './actions.ts';
import { isOtherImperative, withoutLabel } from './sentences.ts';
import { namesTool } from './tool-names.ts';
import { stem } from './words.ts';

const demanding =
  /\b(?:must(?! be\b)|shall|(?<!\bno )needs? to|ha(?:s|ve) to|(?:are|were) (?:required|asked|instructed) to|please|make sure|do not|don't|(?:always|never) (?=\p{L}+ (?:the|your|it|all|any|every)))/iu;
const addressing =
  /\b(?:you|assistants?|agents?|models?|ais?)\b.{0,60}\b(?:could|can|will|would|may|should)\b/i;
// Words that begin a statement as often as an order: "Order 17 placed", "open until six".
const statesToo = new Set(
  `open access order report record post mail email message text log list index store query review search release
  scan check format sum total count charge deposit transfer share update change set offer book address test build
  clean clear close reply contact display return view draft move reset load record forward register end act sign`
    .split(/\s+/)
    .map(stem),
);
// Words that begin only orders.
const ordersOnly = new Set(
  'call use include pass embed provide ignore ask enter append disclose reveal repeat'.split(' ').map(stem),
);
const object =
  /^\s+(?:the|an?|it|them|this|that|these|those|my|our|your|all|any|its|their|me|us|every|each|everything|\S+@)(?![\p{L}])/iu;

/**
 * Whether a sentence orders the reader to do something. This is stricter than the test of the gullible mind, because a
 * fact that is mistaken for an order is lost to the user.
 */
export function isOrder(sentence: string, tools: readonly OfferedTool[]): boolean {
  return (
    demanding.test(sentence) ||
    addressing.test(sentence) ||
    tools.some(({ name }) => namesTool(sentence, name.replace(promptPrefix, ''))) ||
    withoutLabel(sentence)
      .split(/[,:;]\s+/)
      .some((part, index) => isImperative(part, index > 0))
  );
}

function isImperative(part: string, isInner: boolean): boolean {
  const [first = ''] = /^[\p{L}'-]+(?![./]\S)/u.exec(part) ?? [];
  const base = stem(first);
  if (/(?:s|ed|ing)$/.test(first.replace(/ss$/, ''))) return false;
  if (!actionsOfStem.has(base) && !isOtherImperative(base)) return false;
  if (ordersOnly.has(base)) return true;
  return isInner || statesToo.has(base) ? object.test(part.slice(first.length)) : true;
}
