import type { Model } from '../model.ts';
import { doTask } from './do-task.ts';
import { quoted } from './quotations.ts';
import { unheeded } from './unheeded.ts';

/**
 * Does what `guarded` does, and openly tells its user which other orders it was given and did not follow. An honest
 * agent may speak like this, so no indicator may mistake its words for an act.
 */
export const candid: Model = {
  async complete(input) {
    const done = doTask(input);
    if (done.toolCalls.length > 0 || input.askedBy !== undefined) return done;
    const orders = unheeded(input);
    return { ...done, text: [done.text, ...orders.map(quoted)].join('\n\n') };
  },
};
