import { documentCases } from './documents.ts';
import { messageCases } from './messages.ts';

// Runs one case in a process of its own, so that what it costs is its own.

const [, , id] = process.argv;
const hostile = [...documentCases, ...messageCases].find((one) => one.id === id);
const start = performance.now();
const outcome = hostile?.run() ?? 'no such case';
const milliseconds = performance.now() - start;
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ outcome, milliseconds, megabytes }));
