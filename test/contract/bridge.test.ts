import { bridge } from '../../src/cli/bridge/bridge.ts';
import { playOverHttp } from './play-over-http.ts';
import { linePeer, openPipes } from './raw-peers.ts';
import { serverContract } from './server-contract.ts';

serverContract('a bridge', (document) =>
  playOverHttp(document, ({ url }) => {
    const { toServer, fromServer } = openPipes();
    const ended = bridge({ url: new URL(url), input: toServer, output: fromServer, note: () => {} });
    return linePeer(toServer, fromServer, async () => {
      await ended;
    });
  }),
);
