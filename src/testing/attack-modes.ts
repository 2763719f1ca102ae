import type { PlayableMode } from '../attack/engine/run-document.ts';
import { createServerModes } from '../suite/play/playable-modes.ts';
import type { AttackOptions } from './attack-options.ts';

/** How the servers of a document are played: on local ports, or in memory. */
export function createAttackModes({ transport, listen, era }: AttackOptions): readonly PlayableMode[] {
  return createServerModes({
    address: ({ name }) =>
      listen !== undefined && Object.hasOwn(listen, name) ? { port: listen[name] ?? 0 } : undefined,
    inMemory: transport === 'memory',
    era,
  });
}
