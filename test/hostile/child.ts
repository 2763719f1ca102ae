import { documentCases } from './documents.ts';
import { messageCases } from './messages.ts';

// Runs one case in its own process, so that its cost can be measured.

const [, , id] = process.argv;
const hostile = [...documentCases, ...messageCases].find((one) => one.id === id);
const start = performance.now();
const outcome = hostile?.run() ?? 'no such case';
const milliseconds = performance.now() - start;
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ outcome, milliseconds, megabytes }));
