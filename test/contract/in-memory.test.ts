import { createMemoryServer } from '../../src/attack/transport/mcp-server/in-memory.ts';
import { runActor } from '../support/run-actor.ts';
import { greeted, type RawPeer } from './raw-peers.ts';
import { serverContract } from './server-contract.ts';

serverContract('memory', async (document) => {
  const transport = createMemoryServer();
  const actor = await runActor(document, { transport });
  return {
    records: actor.records,
    async connect() {
      const received: string[] = [];
      const peer = transport.join({ hear: (text) => received.push(text), closed: () => {} });
      if (typeof peer === 'string') throw new Error(peer);
      const raw: RawPeer = {
        received,
        send: async (bytes) => peer.send(Buffer.from(bytes)),
        leave: async () => peer.leave(),
      };
      return greeted(raw);
    },
    stop: actor.stop,
  };
});
