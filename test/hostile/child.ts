import { createInterface } from 'node:readline';
import { collectMuch } from './collect.ts';
import { documentCases } from './documents.ts';
import { messageCases } from './messages.ts';

// Runs the cases whose ids it reads from standard input, in a process without other work, so that their cost can be measured.

const cases = new Map([...documentCases, ...messageCases].map((one) => [one.id, one]));

createInterface({ input: process.stdin }).on('line', (id) => {
  const start = performance.now();
  const outcome = cases.get(id)?.run() ?? 'no such case';
  const milliseconds = performance.now() - start;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ outcome, milliseconds, megabytes })}\n`);
  collectMuch();
});
