import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const testing = new URL('../../dist/testing.js', import.meta.url).href;
const timers = new URL('../support/pending-timers.ts', import.meta.url).href;
const agents = new URL('./agents.ts', import.meta.url).href;

/** This process is not killed: it ends when the attacks have left nothing open. It loads the package as built, which is faster. */
const script = `
  const { watchTimers } = await import(${JSON.stringify(timers)});
  const pending = watchTimers();
  const { attack } = await import(${JSON.stringify(testing)});
  const { fooled, stuck, connecting, inMemory } = await import(${JSON.stringify(agents)});
  const outcomes = [];
  const note = ({ outcome }) => outcomes.push(outcome);
  note(await attack('OATS-001', { agent: fooled }));
  note(await attack('OATS-001', { agent: 'guarded' }));
  note(await attack('OATS-001', { agent: inMemory(connecting['2.x']), transport: 'memory' }));
  note(await attack('OATS-001', { agent: stuck, signal: AbortSignal.timeout(50) }));
  note(await attack('OATS-001', { agent: stuck, timeout: 50 }));
  note(await attack('OATS-060', { agent: 'gullible' }));
  const waits = pending();
  process.on('exit', () => console.log(outcomes.join(' '), JSON.stringify(waits)));
`;

test('a process that calls attack ends by itself, with no timer left', async () => {
  const argv = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 100_000 });
  expect([stdout.trim(), stderr]).toEqual(['exploited resisted resisted inconclusive inconclusive exploited []', '']);
});
