import { readFileSync, writeFileSync } from 'node:fs';
import { fillIn, shownPages } from '../test/support/readme.ts';

for (const page of shownPages) {
  const path = new URL(`../${page}`, import.meta.url);
  writeFileSync(path, await fillIn(readFileSync(path, 'utf8')));
}
