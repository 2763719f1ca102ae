import { readFileSync, writeFileSync } from 'node:fs';
import { fillIn } from '../test/support/readme.ts';

const path = new URL('../README.md', import.meta.url);
writeFileSync(path, fillIn(readFileSync(path, 'utf8')));
