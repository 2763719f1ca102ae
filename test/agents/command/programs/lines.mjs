// A program that is kept: does what its argument says with each line that it reads.
import { createInterface } from 'node:readline';

const ways = {
  echo: (line) => console.log(`heard ${line}`),
  'json echo': (line) => console.log(`{"note":1}\n${JSON.stringify({ answer: JSON.parse(line) })}`),
  'two lines': (line) => console.log(`heard ${line}\nand more`),
  noise: (line) => console.log(`loading…\n${JSON.stringify({ answer: line.length > 0 })}`),
  'half a line': () => process.stdout.write('half', () => process.exit(0)),
  'ends after one': (line) => process.stdout.write(`heard ${line}\n`, () => process.exit(4)),
  silent: () => {},
};

const way = ways[process.argv[2]];
for await (const line of createInterface({ input: process.stdin })) way(line);
