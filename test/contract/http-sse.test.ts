import { playOverHttp } from './play-over-http.ts';
import { ssePeer } from './raw-peers.ts';
import { serverContract } from './server-contract.ts';

serverContract('HTTP with server-sent events', (document) =>
  playOverHttp(document, ({ url }) => ssePeer(new URL('/sse', url).href)),
);

serverContract('HTTP with server-sent events, at the address of Streamable HTTP', (document) =>
  playOverHttp(document, ({ url }) => ssePeer(url)),
);
