import { playA2a } from './play-a2a.mjs';

await playA2a({ kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } });
