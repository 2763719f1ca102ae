import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Figure } from './measure.ts';

const megabytes = Number(process.env.OATF_BENCH_TRACE_MB ?? 1_000);
const root = fileURLToPath(new URL('..', import.meta.url));
/** How much higher than the first third the last third may be; beyond that, memory grows. */
const slack = 1.3;

/** The most memory of `oatf evaluate` in each third of a long trace. */
export async function benchMemory(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-bench-'));
  try {
    const trace = join(folder, 'long.jsonl');
    await writeTrace(trace);
    const [start = 0, middle = 0, end = 0] = peaksOfThirds(await sampleEvaluation(trace));
    return [
      {
        name: `memory while evaluating a trace of ${megabytes} MB`,
        value: `${(end / start).toFixed(2)} × (${[start, middle, end].map(Math.round).join(', ')} MB in its thirds)`,
        bound: `≤ ${slack} ×`,
        ok: end / start <= slack,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function peaksOfThirds(samples: readonly number[]): number[] {
  const third = Math.ceil(samples.length / 3);
  return [0, 1, 2].map((part) => Math.max(...samples.slice(part * third, (part + 1) * third)));
}

async function writeTrace(path: string): Promise<void> {
  const file = createWriteStream(path);
  const filler = 'a plan that is read and summarised, paragraph after paragraph. '.repeat(30);
  const target = megabytes * 1_000_000;
  for (let written = 0, seq = 0; written < target; seq++) {
    const line = `${JSON.stringify({
      seq,
      timestamp: '2026-01-01T00:00:00.000Z',
      actor: 'default',
      protocol: 'mcp',
      mode: 'mcp_server',
      phase: 'honest',
      kind: seq % 2 === 0 ? 'request' : 'response',
      origin: seq % 2 === 0 ? 'agent' : 'attacker',
      method: 'tools/call',
      content: { name: 'convert', arguments: { amount: seq, note: filler } },
    })}\n`;
    written += line.length;
    if (!file.write(line)) await new Promise<void>((resolve) => file.once('drain', () => resolve()));
  }
  file.end();
  await finished(file);
}

/** Samples the resident megabytes of the process, fifty times a second. */
async function sampleEvaluation(trace: string): Promise<number[]> {
  const args = [join(root, 'dist/cli.js'), 'evaluate', join(root, 'examples/rug-pull.yaml'), '--trace', trace];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const samples: number[] = [];
  const timer = setInterval(() => {
    const resident = residentMegabytes(child.pid);
    if (resident !== undefined) samples.push(resident);
  }, 20);
  const status = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  // Exit codes 0, 1 and 2 are outcomes; any other means that nothing was evaluated.
  if (typeof status !== 'number' || status > 2) throw new Error(`oatf evaluate ended with ${status}`);
  return samples;
}

/** Reads /proc, so this bench runs on Linux only. */
function residentMegabytes(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch {
    return undefined;
  }
}
