import { createStdioServer } from '../../src/attack/transport/mcp-server/stdio-server.ts';
import { runActor } from '../support/run-actor.ts';
import { greeted, linePeer, openPipes } from './raw-peers.ts';
import { serverContract } from './server-contract.ts';

serverContract(
  'stdio',
  async (document) => {
    const { toServer, fromServer } = openPipes();
    const transport = createStdioServer({ input: toServer, output: fromServer });
    const actor = await runActor(document, { transport });
    return {
      records: actor.records,
      connect: () => greeted(linePeer(toServer, fromServer, async () => {})),
      stop: actor.stop,
    };
  },
  { peers: 'one' },
);
