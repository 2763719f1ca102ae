import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NotHad } from './peers/environment.ts';
import { behaviours, type Protocol, serveAll } from './victims/behaviours.ts';
import { type Victim, victims } from './victims/clients.ts';

// Measures what official clients do when a server sends as `x-wire` orders. `npm run victims` writes the tables of
// docs/extensions/availability.md. Clients from PyPI are installed into a temporary folder, which later runs reuse.

const page = fileURLToPath(new URL('../docs/extensions/availability.md', import.meta.url));
const titles: { readonly [P in Protocol]: string } = { mcp: 'MCP', a2a: 'A2A' };

/** An error that the client's caller cannot catch counts as a break. */
const uncaught: string[] = [];
process.on('uncaughtException', ({ name }) => uncaught.push(name));
process.on('unhandledRejection', (reason) => uncaught.push(reason instanceof Error ? reason.name : 'rejection'));

async function measure({ name, protocol, ask }: Victim): Promise<ReadonlyMap<string, string> | undefined> {
  const served = await serveAll(protocol);
  uncaught.length = 0;
  try {
    const found = await ask(served.urls);
    if (uncaught.length > 0) process.stderr.write(`${name} left uncaught: ${[...new Set(uncaught)].join(', ')}\n`);
    return found;
  } catch (thrown) {
    if (!(thrown instanceof NotHad)) throw thrown;
    process.stderr.write(`skipped ${name}: ${thrown.message}\n`);
    return undefined;
  } finally {
    await served.stop();
  }
}

async function table(protocol: Protocol): Promise<string> {
  const columns: { readonly name: string; readonly found: ReadonlyMap<string, string> }[] = [];
  for (const victim of victims.filter((each) => each.protocol === protocol)) {
    const found = await measure(victim);
    if (found !== undefined) columns.push({ name: victim.name, found });
  }
  const rows = Object.keys(behaviours[protocol]).map(
    (behaviour) =>
      `| ${[behaviour, ...columns.map(({ found }) => found.get(behaviour)?.replace(/^error: .*/s, 'error') ?? '')].join(' | ')} |`,
  );
  return [
    `| ${[titles[protocol], ...columns.map(({ name }) => name)].join(' | ')} |`,
    `|${' --- |'.repeat(columns.length + 1)}`,
    ...rows,
  ].join('\n');
}

const tables = [await table('mcp'), await table('a2a')].join('\n\n');
const [begin, end] = ['<!-- victims -->', '<!-- /victims -->'];
const text = readFileSync(page, 'utf8');
const from = text.indexOf(begin) + begin.length;
writeFileSync(page, `${text.slice(0, from)}\n${tables}\n${text.slice(text.indexOf(end))}`);
process.stdout.write(`${tables}\n`);
process.exit(0);
