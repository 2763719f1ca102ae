import type { Transport } from '../../../engine/ports.ts';
import type { PlayableMode } from '../../../engine/run.ts';
import { type ServerPlaces, serverModes } from '../../../suite/modes.ts';
import type { Exposure } from '../../../transport/exposure/exposure.ts';
import type { A2aSettings } from '../settings/read-settings.ts';
import type { Address, Addresses } from './listen.ts';
import { listenFailureOf } from './listen-failure.ts';

export const anyFreePort: Address = { host: '127.0.0.1', port: 0 };

/** The playable modes, with servers at the addresses that the user gave. */
export function modesFor(
  addresses: Addresses,
  settings?: A2aSettings,
  exposure?: Exposure,
  era?: ServerPlaces['era'],
): readonly PlayableMode[] {
  const addressOf: (actor: Parameters<PlayableMode['transport']>[0]) => Address = (actor) =>
    addresses(actor) ?? anyFreePort;
  return serverModes({ address: addressOf, exposure, a2a: settings, era }).map((mode) => ({
    ...mode,
    transport: async (actor) => withPlainFailure(await mode.transport(actor), addressOf(actor)),
  }));
}

function withPlainFailure(transport: Transport, { host, port }: Address): Transport {
  return {
    ...transport,
    async open(receive) {
      try {
        return await transport.open(receive);
      } catch (thrown) {
        const reason = listenFailureOf(thrown);
        throw reason === undefined ? thrown : new Error(`${host}:${port} ${reason}`);
      }
    },
  };
}
