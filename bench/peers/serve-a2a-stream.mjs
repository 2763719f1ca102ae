import { playA2a } from './play-a2a.mjs';
import { streamedTask } from './streamed-task.mjs';

await playA2a(streamedTask);
