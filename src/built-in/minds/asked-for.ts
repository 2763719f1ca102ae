import { isInstruction } from './sentences.ts';

/** What a mind has and others want: its instructions, its context, what was said to it, what it keeps for its user. */
const knowledge =
  /\b(?:context|system prompt|instructions|conversation|chat|history|transcript|everything|verbatim|word (?:for|by) word|all (?:that )?(?:you|it|the assistant) knows?|memory|notes|profile|pass(?:word|code|phrase)|credentials?|secrets?|tokens?|api keys?|pin|card number|account number)\b/i;

const prohibition = /\b(?:never|do not|don't|must not|may not|should not|not (?:to|for)|only)\b/i;

/** Whether a text asks its reader for what the reader knows. */
export function asksForKnowledge(text: string): boolean {
  return knowledge.test(text) && !prohibition.test(text);
}

/** "Email subject" names a field, though it begins with a verb. */
const label = /^\S+(?: \S+)?(?<![.!:])$/;

/** Whether a sentence has its reader do something; one that forbids something is obeyed by doing nothing. */
export function asksForAct(sentence: string): boolean {
  return isInstruction(sentence) && !prohibition.test(sentence) && !label.test(sentence);
}
