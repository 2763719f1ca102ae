// Builds everything in dist: the code, its declarations, the schemas, an index of the library, the report's page and
// the licences of bundled packages. With `--no-declarations`, declarations stay as they are: they take most of the time, and
// no program needs them.
import { build } from 'tsdown';

const withoutDeclarations = { dts: false, clean: ['dist/*', '!dist/*.d.ts'] };
// The command line of tsdown prints notes on every call, so its function is called instead.
await build({ logLevel: 'warn', ...(process.argv.includes('--no-declarations') && withoutDeclarations) });
await import('./write-schema.mjs');
await import('./write-library.mjs');
await import('./build-web.mjs');
await import('./write-third-party.mjs');
