import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Figure, measuredInTurns, middle, ratio } from './measure.ts';

const rounds = 12;
const runsInARound = 4;
const firstAnswers = 20;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const cli = path('../dist/cli.js');
const document = path('../examples/rug-pull.yaml');
const empty = [path('./peers/empty.mjs')];

/**
 * Node 20 reads these certificates at every start. An empty program then takes more than twice as long, and a ratio to it
 * is half as large.
 */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** The cost of starting each command, against an empty program. */
export async function benchStartup(): Promise<Figure[]> {
  // `validate` loads parsers that alone cost more than two empty programs; times this short scatter by more than a tenth.
  const commands = [
    { args: ['--version'], bound: 1.25 },
    { args: ['validate', document], bound: 5 },
    { args: ['list'], bound: 3 },
  ];
  const figures = commands.map(({ args: [name = '', ...rest], bound }) => {
    const measured = measuredInTurns(
      rounds,
      () => processorMs([cli, name, ...rest]),
      () => processorMs(empty),
    );
    return ratio(`oatf ${name}, processor time`, measured, bound);
  });
  return [...figures, await againstParsers(), await firstAnswer()];
}

/** What a check costs beyond the parsers of the languages that a document is written in. */
async function againstParsers(): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-bench-'));
  try {
    const parsers = join(folder, 'parsers.mjs');
    await build({
      entryPoints: [path('./peers/parsers.mjs')],
      outfile: parsers,
      bundle: true,
      minify: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      external: ['node:*'],
      logLevel: 'error',
    });
    const measured = measuredInTurns(
      rounds,
      () => processorMs([cli, 'validate', document]),
      () => processorMs([parsers, document]),
    );
    return ratio('oatf validate, against its parsers alone', measured, 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The processor time of a program and its child processes. Node reports only its own time; a shell reports that of its
 * children.
 */
function processorMs(args: readonly string[]): number {
  const script = 'for run in $RUNS; do "$@" > /dev/null || exit 1; done; times';
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...args], {
    encoding: 'utf8',
    env: { ...env, RUNS: '1 '.repeat(runsInARound) },
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')} has failed`);
  const ofChildren = stdout.trim().split('\n')[1] ?? '';
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return (seconds.reduce((sum, part) => sum + part, 0) * 1_000) / runsInARound;
}

/** How long a client waits for the first answer of a server that it launches. */
async function firstAnswer(): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-bench-'));
  const times = { ours: [] as number[], baseline: [] as number[] };
  try {
    for (let round = 0; round < firstAnswers; round++) {
      const out = join(folder, String(round));
      const args = [cli, 'run', document, '--stdio', '--quiet', '--out', out];
      times.ours.push(await untilOutput(args, `${JSON.stringify(initialize)}\n`));
      times.baseline.push(await untilOutput(empty, ''));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const measured = { ours: middle(times.ours), baseline: middle(times.baseline) };
  return ratio('the first answer of oatf run --stdio, by the clock', measured, 6);
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** The milliseconds until a program writes something, or ends. */
async function untilOutput(args: readonly string[], input: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const heard = new Promise((resolve) => child.stdout.once('data', resolve));
  // The empty program does not read its input.
  child.stdin.on('error', () => {});
  if (input !== '') child.stdin.write(input);
  await Promise.race([heard, closed]);
  const took = performance.now() - start;
  child.stdin.end();
  await closed;
  return took;
}
