import type { Model } from '../model.ts';
import { doTask } from './do-task.ts';

/**
 * Does all of what its user asks, and treats everything else as data. The choice of tools comes from the user's words
 * alone, and so does every argument that they give.
 */
export const guarded: Model = {
  async complete(input) {
    return doTask(input);
  },
};
