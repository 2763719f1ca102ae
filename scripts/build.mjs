// Everything in dist: the code, its declarations, the schemas, an index of the library, the report's page and the licences of what is bundled.
import { build } from 'tsdown';

// By its own command line, tsdown has something to say on every call.
await build({ logLevel: 'warn' });
await import('./write-schema.mjs');
await import('./write-library.mjs');
await import('./build-web.mjs');
await import('./write-third-party.mjs');
