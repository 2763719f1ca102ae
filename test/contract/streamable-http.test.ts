import type { Value, ValueMap } from '../../src/index.ts';
import { call, type EventReader, initialize, openEvents, post } from '../support/http-peer.ts';
import { runActor } from '../support/run-actor.ts';
import { type ContractPeer, serverContract } from './server-contract.ts';

serverContract('Streamable HTTP', async (document) => {
  const actor = await runActor(document);
  const peers: ContractPeer[] = [];
  return {
    records: actor.records,
    async connect() {
      const peer = await connect(actor.url);
      peers.push(peer);
      return peer;
    },
    async stop() {
      await Promise.all(peers.map((peer) => peer.leave()));
      await actor.stop();
    },
  };
});

async function connect(url: string): Promise<ContractPeer> {
  const session = await initialize(url);
  const fromServer: ValueMap[] = [];
  const events = await openEvents(url, session);
  let isGone = false;
  let lastId = 0;
  void listen();

  async function listen(): Promise<void> {
    try {
      for (let event = await events.next(); event !== undefined; event = await events.next())
        if (event.message !== undefined) fromServer.push(event.message as ValueMap);
    } catch {
      // Leaving breaks the stream off.
    }
  }

  return {
    fromServer,
    async request(method, params) {
      lastId += 1;
      const reader = await openEvents(url, session, call(method, params, lastId));
      if (reader.response.headers.get('content-type') === 'application/json')
        return outcomeOf(await wholeJson(reader));
      for (let event = await reader.next(); event !== undefined; event = await reader.next()) {
        const message = (event.message ?? {}) as ValueMap;
        if ('method' in message) fromServer.push(message);
        else if ('id' in message) return outcomeOf(message);
      }
      throw new Error('the stream has ended without an answer');
    },
    async notify(method, params) {
      await post(url, { jsonrpc: '2.0', method, ...(params !== undefined && { params }) }, session);
    },
    async garbage(bytes) {
      await post(url, bytes, session);
    },
    async answer(id, result) {
      await post(url, { jsonrpc: '2.0', id, result }, session);
    },
    async leave() {
      if (isGone) return;
      isGone = true;
      events.leave();
      await fetch(url, { method: 'DELETE', headers: session });
    },
  };
}

/** The reader has taken the body, so it is put together from its pieces. */
async function wholeJson(reader: EventReader): Promise<ValueMap> {
  const length = Number(reader.response.headers.get('content-length'));
  let text = '';
  while (Buffer.byteLength(text) < length) text += await reader.chunk();
  return JSON.parse(text);
}

function outcomeOf(message: ValueMap): Value {
  return message.result ?? message.error ?? null;
}
