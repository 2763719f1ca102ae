import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';
import type { Clock } from '../../../../src/attack/engine/ports.ts';
import { systemClock } from '../../../../src/attack/transport/clock.ts';
import type { PlayResult } from '../../../../src/suite/play/play-run.ts';
import { attack, program, useOwnTemporaryFolder } from './support.ts';

// Programs that misbehave are contained and explained, and no process of them is left.

const temporary = useOwnTemporaryFolder();

interface Seen extends PlayResult {
  /** All processes that were ever started. */
  readonly pids: readonly number[];
}

interface Misbehaviour {
  readonly way: string;
  readonly target?: Partial<CommandTarget>;
  /** Whether the time of the run ends as soon as the program misbehaves. */
  readonly isCut?: true;
  readonly processes?: number;
}

async function misbehave({ way, target, isCut, processes = 1 }: Misbehaviour): Promise<Seen> {
  const pidFile = join(mkdtempSync(join(temporary.path, 'pids-')), 'pids');
  const pids = (): readonly number[] =>
    existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim().split('\n').map(Number) : [];
  const clock = forwardClock();
  const playing = attack(
    'OATS-001_tool-description-usage-report.yaml',
    { command: program('misbehave', way, pidFile), ...target },
    { limits: { sessionMs: 60_000 }, clock },
  );
  if (isCut) {
    await expect.poll(() => pids().length, { timeout: 100_000 }).toBe(processes);
    clock.forward(60_000);
  }
  return { ...(await playing), pids: pids() };
}

/** The machine’s clock, which can be set forward. */
function forwardClock(): Clock & { forward(ms: number): void } {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    timestamp: systemClock.timestamp,
    wakeAt: (time, callback) => systemClock.wakeAt(time - ahead, callback),
    forward: (ms) => {
      ahead += ms;
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

interface Row extends Misbehaviour {
  readonly reason: RegExp;
  readonly program?: object;
  readonly cause?: string;
}

const cut = { isCut: true, reason: /60 s were over before it had finished/ } as const;

const rows: readonly Row[] = [
  {
    way: 'leaves children behind',
    processes: 3,
    cause: 'cut_off',
    reason: /left "node", "node" running after two quiet seconds/,
    program: { exitCode: 0 },
  },
  {
    way: 'leaves a daemon behind',
    processes: 2,
    cause: 'cut_off',
    reason: /left "node" running after two quiet seconds/,
    program: { exitCode: 0 },
  },
  {
    way: 'answers a line and leaves a daemon behind',
    target: { turns: 'keep' },
    processes: 2,
    cause: 'cut_off',
    reason: /left "node" running after two quiet seconds/,
    program: { exitCode: 0 },
  },
  { way: 'ignores signals', ...cut, program: { signal: 'SIGKILL' } },
  {
    way: 'ignores signals',
    target: { timeout: '2s' },
    reason: /longer than the 2 s of a turn/,
    cause: 'cut_off',
    program: { signal: 'SIGKILL' },
  },
  {
    way: 'prints 1 GB',
    reason: /more than 8 MB of output, and was ended/,
    program: { signal: 'SIGTERM' },
    cause: 'cut_off',
  },
  { way: 'prints 1 GB', target: { output: 'json', maxOutput: '1MB' }, reason: /more than 1 MB of output/ },
  {
    way: 'prints lines for ever',
    target: { output: 'jsonl', answer: '$.a' },
    reason: /more than 8 MB of output/,
  },
  {
    way: 'prints lines for ever',
    target: { output: 'jsonl', answer: '$.a', turns: 'keep' },
    reason: /more than 100000 lines, and was ended/,
  },
  { way: 'prints 1 GB', target: { turns: 'keep' }, reason: /more than 8 MB of output/ },
  {
    way: 'complains for ever',
    ...cut,
    program: { signal: 'SIGTERM', stderr: expect.stringContaining('no good') },
  },
  { way: 'never ends', ...cut, program: { signal: 'SIGTERM' } },
  { way: 'never ends', target: { turns: 'keep' }, ...cut },
  {
    way: 'exits at once',
    reason: /exit code 3: first this \| then out of luck/,
    program: { exitCode: 3, stderr: 'first this\nthen out of luck\n' },
  },
  {
    way: 'exits at once',
    target: { turns: 'keep' },
    reason: /exit code 3: first this \| then out of luck/,
    program: { exitCode: 3 },
  },
  { way: 'is killed', cause: 'trouble', reason: /ended by SIGKILL/, program: { signal: 'SIGKILL' } },
  { way: 'closes its output and goes on', ...cut },
  {
    way: 'eats memory',
    target: { maxMemory: '300MB' },
    reason: /more than 300 MB of memory, and was ended/,
    cause: 'cut_off',
  },
  {
    way: 'lets a child eat memory',
    target: { maxMemory: '300MB' },
    processes: 2,
    reason: /more than 300 MB of memory/,
  },
];

describe('command agent, a misbehaving program', () => {
  // `$way` would be in quotation marks, and `$target` often undefined.
  const titled = rows.map((row): [string, Row] => {
    const settings = row.target === undefined ? '' : ` (${JSON.stringify(row.target)})`;
    return [`${row.way}${settings}`, row];
  });
  test.each(titled)('is ended with all its processes and a reason when it %s', async (_, row) => {
    const seen = await misbehave(row);
    expect(seen.pids).toHaveLength(row.processes ?? 1);
    expect(seen.pids.filter(isRunning)).toEqual([]);
    expect(temporary.left()).toEqual([]);
    expect(seen).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(row.reason),
      ...(row.cause !== undefined && { cause: row.cause }),
    });
    expect(seen.program).toMatchObject(row.program ?? {});
    expect(seen.program?.stderr.length).toBeLessThanOrEqual(8 * 1024);
  });

  test('is reported as trouble when it does not exist, and leaves no folder behind', async () => {
    const { program: facts, ...run } = await misbehave({ way: '', target: { command: 'no-such-agent' } });
    expect(run).toMatchObject({
      outcome: 'inconclusive',
      cause: 'trouble',
      reason: 'it cannot be launched: there is no program "no-such-agent"',
    });
    expect(facts).toBeUndefined();
    expect(temporary.left()).toEqual([]);
  });
});

test('command agent: ends its processes and removes its folder when the run is cancelled', async () => {
  const over = new AbortController();
  const pidFile = join(mkdtempSync(join(temporary.path, 'pids-')), 'pids');
  const playing = attack(
    'OATS-001_tool-description-usage-report.yaml',
    { command: program('misbehave', 'ignores signals', pidFile) },
    { signal: over.signal },
  );
  await expect.poll(() => existsSync(pidFile)).toBe(true);
  over.abort();
  const { end } = await playing;
  expect(end.reason).toBe('stopped');
  expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  expect(temporary.left()).toEqual([]);
});
