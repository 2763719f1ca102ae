import { type RunningActor, runActor } from '../support/run-actor.ts';
import { greeted, type RawPeer } from './raw-peers.ts';
import type { PlayedServer } from './server-contract.ts';

/** Plays a document on a port, for peers that connect to it. */
export async function playOverHttp(
  document: string,
  connect: (actor: RunningActor) => Promise<RawPeer> | RawPeer,
): Promise<PlayedServer> {
  const actor = await runActor(document);
  const peers: RawPeer[] = [];
  return {
    records: actor.records,
    async connect() {
      const peer = await connect(actor);
      peers.push(peer);
      return greeted(peer);
    },
    async stop() {
      await Promise.all(peers.map((peer) => peer.leave()));
      await actor.stop();
    },
  };
}
