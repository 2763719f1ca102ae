import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Results } from '../../src/format/model/results-file.ts';
import { freshFolder } from '../support/fresh-folder.ts';
import { runShell, startCli } from './run-cli.ts';

// The user's code runs in our own process. Whatever it does must not count as a verdict.

const config = (acts: string, before = ''): string => `
${before}
export default {
  agent: 'mine',
  concurrency: 1,
  targets: { mine: { function: async ({ prompt }) => { ${acts} } } },
};
`;

async function run(code: string, flags = '') {
  const folder = freshFolder([['oatf.config.mjs', code]]);
  const ran = await runShell(`oatf run OATS-001 OATS-002 --out out --grace-period 0s ${flags}`, folder);
  return { ...ran, folder };
}

describe('oatf run, when the user’s code calls process.exit', () => {
  test.each([
    ['an agent', config('process.exit(0);')],
    ['an agent with the exit code of an exploit', config('process.exit(1);')],
    ['an agent a moment later', config('setTimeout(() => process.exit(0)); return new Promise(() => {});')],
    ['the configuration file', config('', 'process.exit(0);')],
  ])('exits with 70 and reports it: %s', async (_, code) => {
    const { exit, stderr } = await run(code);
    expect(exit).toBe(70);
    expect(stderr).toMatch(/error: this process ended too early: process\.exit\([01]\) was called/);
  });
});

describe('oatf run, when the user’s code fails where the error cannot be caught', () => {
  test.each([
    ['it throws later', "setTimeout(() => { throw new Error('boom'); }); return new Promise(() => {});"],
    ['it rejects a promise that nobody awaits', "Promise.reject(new Error('boom')); return new Promise(() => {});"],
    [
      'it does both several times',
      "for (const ms of [0, 1, 2, 3]) setTimeout(() => { throw new Error('boom'); }, ms); Promise.reject(new Error('boom')); return new Promise(() => {});",
    ],
  ])('exits with 70, blames the user’s code once and stores results when %s', async (_, acts) => {
    const { exit, stderr, folder } = await run(config(acts));
    expect(exit).toBe(70);
    expect(stderr.match(/error: your own code.*boom/g)).toHaveLength(1);
    expect(stderr).not.toContain('a bug in oatf');
    expect(stderr).not.toContain('    at ');
    const results: Results = JSON.parse(readFileSync(join(folder, 'out', 'results.json'), 'utf8'));
    expect(results.not_run?.length).toBeGreaterThan(0);
  });

  test('keeps runs that finished before', async () => {
    const { exit, folder } = await run(
      config(
        "if (n++ === 0) return 'hello'; Promise.reject(new Error('boom')); return new Promise(() => {});",
        'let n = 0;',
      ),
    );
    expect(exit).toBe(70);
    const results: Results = JSON.parse(readFileSync(join(folder, 'out', 'results.json'), 'utf8'));
    expect(results.runs.length).toBeGreaterThan(1);
  });

  test('exits with 70 when the error comes while the configuration loads', async () => {
    const { exit, stderr } = await run(
      config("return 'hi';", "Promise.reject(new Error('boom')); await new Promise((r) => setTimeout(r, 50));"),
    );
    expect(exit).toBe(70);
    expect(stderr).toContain('error: your own code');
  });

  test('shows the position of the error with --debug', async () => {
    const { stderr } = await run(
      config("setTimeout(() => { throw new Error('boom'); }); return new Promise(() => {});"),
      '--debug',
    );
    expect(stderr).toContain('oatf.config.mjs:');
  });
});

test('oatf run sends output of the user’s code to standard error', async () => {
  const { stdout, stderr } = await run(
    config(
      "console.log('from the agent'); stdout.write('by stream\\n'); return 'hi';",
      "import { stdout } from 'node:process'; console.log('from the file'); process.stdout.write('at once\\n');",
    ),
    '--json',
  );
  expect(JSON.parse(stdout)).toHaveProperty('runs');
  for (const text of ['from the agent', 'by stream', 'from the file', 'at once']) expect(stderr).toContain(text);
});

describe('oatf run, at a second signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const)('ends at once on %s and leaves neither programs nor folders behind', async (signal, exit) => {
    const pids = freshFolder();
    // The program ignores signals, and so does its child.
    const deaf = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(each, () => {});
process.stdin.resume();
if (process.argv[2] !== 'child') {
  spawn(process.execPath, [process.argv[1], 'child'], { stdio: 'inherit' });
  writeFileSync(${JSON.stringify(join(pids, 'cwd'))}, process.cwd());
}
writeFileSync(${JSON.stringify(pids)} + '/' + (process.argv[2] ?? 'parent'), String(process.pid));
setInterval(() => {}, 1000);
`;
    const folder = freshFolder([['deaf.mjs', deaf]]);
    const agent = `command:node ${join(folder, 'deaf.mjs')}`;
    const child = startCli(['run', 'OATS-001', '--agent', agent, '--out', 'out'], folder);
    const ended = new Promise((resolve) => child.on('close', resolve));
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 10 });
    await waitFor(() => {
      for (const name of ['child', 'parent', 'cwd']) expect(readFileSync(join(pids, name), 'utf8')).not.toBe('');
    });
    child.kill(signal);
    await waitFor(() => expect(stderr).toContain('ending the run'));
    child.kill(signal);
    expect(await ended).toBe(exit);
    for (const name of ['child', 'parent']) {
      const pid = readFileSync(join(pids, name), 'utf8');
      await waitFor(() => expect(isRunning(pid)).toBe(false));
    }
    const cwd = readFileSync(join(pids, 'cwd'), 'utf8');
    expect(cwd.startsWith(tmpdir())).toBe(true);
    expect(existsSync(join(cwd, '..')) ? readdirSync(join(cwd, '..')) : []).toEqual([]);
  });
});

test('oatf run stores results when SIGHUP ends it', async () => {
  const folder = freshFolder();
  const child = startCli(['run', 'OATS-001', '--out', 'out'], folder);
  const ended = new Promise((resolve) => child.on('close', resolve));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await vi.waitFor(() => expect(output).toContain('/mcp'), { timeout: 15_000, interval: 10 });
  child.kill('SIGHUP');
  expect(await ended).toBe(143);
  expect(existsSync(join(folder, 'out', 'results.json'))).toBe(true);
});

function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
