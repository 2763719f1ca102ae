// The baseline: a bare program that reads lines of JSON and writes them back.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(JSON.parse(line))}\n`);
});
