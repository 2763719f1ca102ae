import type { PlayableMode } from '../../../attack/engine/run-document.ts';
import type { Exposure } from '../../../attack/transport/exposure/exposure.ts';
import { createServerModes, type ServerPlaces } from '../../../suite/play/playable-modes.ts';
import type { A2aSettings } from '../settings/read-settings.ts';
import type { Address, AddressFinder } from './listen.ts';
import { describeListenFailure } from './listen-failure.ts';

export const anyFreePort: Address = { host: '127.0.0.1', port: 0 };

/** The playable modes, with servers at the addresses that the user gave. */
export function createPlayableModes(
  addresses: AddressFinder,
  settings?: A2aSettings,
  exposure?: Exposure,
  era?: ServerPlaces['era'],
): readonly PlayableMode[] {
  const addressOf: (actor: Parameters<PlayableMode['transport']>[0]) => Address = (actor) =>
    addresses(actor) ?? anyFreePort;
  return createServerModes({ address: addressOf, exposure, a2a: settings, era }).map((mode) => ({
    ...mode,
    explainFailure(actor, thrown) {
      const { host, port } = addressOf(actor);
      const reason = describeListenFailure(thrown);
      return reason === undefined ? undefined : `${host}:${port} ${reason}`;
    },
  }));
}
