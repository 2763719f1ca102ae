// Puts the JSON Schema beside the built library, for editors that read it from the package.
import { writeFileSync } from 'node:fs';
import { jsonSchema } from '../dist/index.js';

writeFileSync(new URL('../dist/schema.json', import.meta.url), `${JSON.stringify(jsonSchema(), null, 2)}\n`);
