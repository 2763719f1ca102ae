// Builds everything in dist: the code, its declarations, the schemas, an index of the library, the report's page and
// the licences of bundled packages.
import { build } from 'tsdown';

// The command line of tsdown prints notes on every call, so its function is called instead.
await build({ logLevel: 'warn' });
await import('./write-schema.mjs');
await import('./write-library.mjs');
await import('./build-web.mjs');
await import('./write-third-party.mjs');
