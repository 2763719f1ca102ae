// Puts the JSON Schemas beside the built library, for editors and programs that read them from the package.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const write = (...args) => execFileSync(process.execPath, [`${dist}cli.js`, 'schema', ...args]);

write('--out', `${dist}schema.json`);
write('--config', '--out', `${dist}config.schema.json`);
write('--results', '--out', `${dist}results.schema.json`);
