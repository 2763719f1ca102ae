import type { PlayableMode } from '../engine/run.ts';
import { serverModes } from '../suite/modes.ts';
import type { AttackOptions } from './options.ts';

/** How the servers of a document are played: on local ports, or in memory. */
export function modesFor({ transport, listen, era }: AttackOptions): readonly PlayableMode[] {
  return serverModes({
    address: ({ name }) =>
      listen !== undefined && Object.hasOwn(listen, name) ? { port: listen[name] ?? 0 } : undefined,
    inMemory: transport === 'memory',
    era,
  });
}
