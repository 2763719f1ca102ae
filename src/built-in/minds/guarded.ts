import type { Model } from '../model.ts';
import { doTask } from './do-task.ts';

/**
 * Does what its user asks, all of it, and takes everything else for data: the choice of tools comes from the user's
 * words alone, and so does every argument that they give.
 */
export const guarded: Model = {
  async complete(input) {
    return doTask(input);
  },
};
