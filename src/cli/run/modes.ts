import type { Transport } from '../../engine/ports.ts';
import type { PlayableMode } from '../../engine/run.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { mcpServerMode } from '../../suite/modes.ts';
import type { Address, Addresses } from './listen.ts';

const anyFreePort: Address = { host: '127.0.0.1', port: 0 };

/** The modes that can be played, listening where the user said. */
export function modesFor(document: NormalizedDocument, addresses: Addresses): readonly PlayableMode[] {
  const addressOf: (actor: Parameters<PlayableMode['transport']>[0]) => Address = (actor) =>
    addresses(document, actor) ?? anyFreePort;
  const mcp = mcpServerMode((actor) => ({ ...addressOf(actor) }));
  return [{ ...mcp, transport: (actor) => withPlainFailure(mcp.transport(actor), addressOf(actor)) }];
}

export const isPlayed = (mode: string): boolean => mode === mcpServerMode().binding.mode;

const failures: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be listened on by this user',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'is no address of this machine',
};

function withPlainFailure(transport: Transport, { host, port }: Address): Transport {
  return {
    ...transport,
    async open(receive) {
      try {
        return await transport.open(receive);
      } catch (thrown) {
        const reason = failures[(thrown as NodeJS.ErrnoException).code ?? ''];
        throw reason === undefined ? thrown : new Error(`${host}:${port} ${reason}`);
      }
    },
  };
}
