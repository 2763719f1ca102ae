import { isInstruction } from './sentences.ts';

/**
 * Words for the knowledge of an agent that an attacker wants: its instructions, its context, the conversation, secrets
 * of its user.
 */
const knowledge =
  /\b(?:context|system prompt|instructions|conversation|chat|history|transcript|everything|verbatim|word (?:for|by) word|all (?:that )?(?:you|it|the assistant) knows?|memory|notes|profile|pass(?:word|code|phrase)|credentials?|secrets?|tokens?|api keys?|pin|card number|account number)\b/i;

const prohibition = /\b(?:never|do not|don't|must not|may not|should not|not (?:to|for)|only)\b/i;

/** Whether a text asks the reader for something that the reader knows. */
export function asksForKnowledge(text: string): boolean {
  return knowledge.test(text) && !prohibition.test(text);
}

/** "Email subject" is a label, although it begins with a verb. */
const label = /^\S+(?: \S+)?(?<![.!:])$/;

/** Whether a sentence asks the reader to act; a prohibition is obeyed by doing nothing. */
export function asksForAct(sentence: string): boolean {
  return isInstruction(sentence) && !prohibition.test(sentence) && !label.test(sentence);
}
