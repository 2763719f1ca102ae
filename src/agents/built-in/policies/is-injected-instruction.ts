import policyWords from '../../../../data/policy-words.json' with { type: 'json' };
import type { OfferedTool } from '../model.ts';
import { promptPrefix } from '../model-offers.ts';
import { actionsOfStem } from './action-classes.ts';
import { dropItemLabel, isOtherImperative } from './sentences.ts';
import { namesTool } from './tool-names.ts';
import { stemWord, stemWords } from './word-stems.ts';

const demanding =
  /\b(?:must(?! be\b)|shall|(?<!\bno )needs? to|ha(?:s|ve) to|(?:are|were) (?:required|asked|instructed) to|please|make sure|do not|don't|(?:always|never) (?=\p{L}+ (?:the|your|it|all|any|every)))/iu;
const addressing = /\b(?:you|assistants?|agents?|models?|ais?)\b.{0,60}\b(?:could|can|will|would|may|should)\b/i;
// Words that begin a statement as often as an instruction: "Order 17 placed", "open until six".
const statesToo = stemWords(policyWords.statesToo);
// Words that begin only instructions.
const ordersOnly = stemWords(policyWords.ordersOnly);
const object =
  /^\s+(?:the|an?|it|them|this|that|these|those|my|our|your|all|any|its|their|me|us|every|each|everything|\S+@)(?![\p{L}])/iu;

/** "Set signature to …": what is set need not have an article. */
const setting = /^set \S+ to\s/i;

/**
 * Whether a sentence instructs the reader to do something. This is stricter than the test of the gullible policy,
 * because a fact that is mistaken for an instruction is lost to the user.
 */
export function isInjectedInstruction(sentence: string, tools: readonly OfferedTool[]): boolean {
  return (
    demanding.test(sentence) ||
    addressing.test(sentence) ||
    tools.some(({ name }) => namesTool(sentence, name.replace(promptPrefix, ''))) ||
    dropItemLabel(sentence)
      .split(/[,:;]\s+/)
      .some((part, index) => isImperative(part, index > 0))
  );
}

function isImperative(part: string, isInner: boolean): boolean {
  if (setting.test(part)) return true;
  const [first = ''] = /^[\p{L}'-]+(?![./]\S)/u.exec(part) ?? [];
  const base = stemWord(first);
  if (/(?:s|ed|ing)$/.test(first.replace(/ss$/, ''))) return false;
  if (!actionsOfStem.has(base) && !isOtherImperative(base)) return false;
  if (ordersOnly.has(base)) return true;
  return isInner || statesToo.has(base) ? object.test(part.slice(first.length)) : true;
}
