import type { Model } from '../model.ts';
import { doTask } from './do-task.ts';
import { quoteSentence } from './quotations.ts';
import { findUnheededInstructions } from './unheeded-instructions.ts';

/**
 * Does what `guarded` does, and tells its user which injected instructions it has read and not followed. An honest
 * agent may do so, so no indicator may match on these words.
 */
export const candid: Model = {
  async complete(input) {
    const done = doTask(input);
    if (done.toolCalls.length > 0 || input.askedBy !== undefined) return done;
    const orders = findUnheededInstructions(input);
    return { ...done, text: [done.text, ...orders.map(quoteSentence)].join('\n\n') };
  },
};
