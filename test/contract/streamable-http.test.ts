import { playOverHttp } from './play-over-http.ts';
import { httpPeer } from './raw-peers.ts';
import { serverContract } from './server-contract.ts';

serverContract('Streamable HTTP', (document) => playOverHttp(document, ({ url }) => httpPeer(url)));
