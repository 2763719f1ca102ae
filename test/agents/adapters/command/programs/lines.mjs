// A program that keeps running: it does what its argument says with each line that it reads.
import { createInterface } from 'node:readline';

const ways = {
  echo: (line) => console.log(`heard ${line}`),
  'json echo': (line) => console.log(`{"note":1}\n${JSON.stringify({ answer: JSON.parse(line) })}`),
  'two lines': (line) => console.log(`heard ${line}\nand more`),
  noise: (line) => console.log(`loading…\n${JSON.stringify({ answer: line.length > 0 })}`),
  'half a line': () => process.stdout.write('half', () => process.exit(0)),
  'ends after one': (line) => process.stdout.write(`heard ${line}\n`, () => process.exit(4)),
  silent: () => {},
  // Its answers are one turn late, after a greeting.
  greets(line) {
    console.log(late ?? 'Welcome.');
    late = `heard ${line}`;
  },
};

let late;
const ends = {
  greets: () => console.log(late),
  'goes on': () => process.stdout.write('and one more thing'),
  'goes on in JSON': () => console.log('{"answer":"one more thing"}'),
  'is noisy': () => console.log('Goodbye!'),
  fails: () => {
    process.stderr.write('out of luck\n');
    process.exitCode = 5;
  },
  'is killed': () => process.kill(process.pid, 'SIGKILL'),
  stays: () => setInterval(() => {}, 1_000),
};

const [, , name, end = name] = process.argv;
const way = ways[name];
for await (const line of createInterface({ input: process.stdin })) way(line);
ends[end]?.();
