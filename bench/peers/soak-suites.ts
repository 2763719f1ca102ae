// Plays suites of shipped documents one after the other in one process, for a number of seconds. Prints as JSON, for
// each suite, the heap after a garbage collection and the number of open handles and files.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInAgent } from '../../src/agents/built-in/built-in-agents.ts';
import { load } from '../../src/format/load.ts';
import { planSuite } from '../../src/suite/plan/plan.ts';
import { playSuite } from '../../src/suite/play-suite.ts';
import { createFolderSink } from '../../src/suite/store/results-folder.ts';

const [seconds = 0] = process.argv.slice(2).map(Number);
const documents = readdirSync('scenarios')
  .filter((name) => name.endsWith('.yaml'))
  .slice(0, 8)
  .map((name) => {
    const file = join('scenarios', name);
    const text = readFileSync(file, 'utf8');
    const loaded = load(text);
    if (!loaded.ok) throw new Error(`${file} does not load`);
    return { ...loaded, file, text };
  });
const agents = [builtInAgent('gullible'), builtInAgent('guarded')];

interface Round {
  readonly runs: number;
  readonly heap: number;
  readonly handles: number;
  readonly files: number;
}

const rounds: Round[] = [];
const until = performance.now() + seconds * 1_000;
while (performance.now() < until) {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-soak-'));
  const plan = planSuite({ documents, agents, repeat: 2 });
  const { results } = await playSuite({
    plan,
    documents,
    agents,
    sink: createFolderSink(folder),
    pace: { concurrency: 4 },
  });
  rmSync(folder, { recursive: true, force: true });
  // Handles that were just closed disappear after the next turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 50));
  globalThis.gc?.();
  rounds.push({
    runs: results?.runs.length ?? 0,
    heap: process.memoryUsage().heapUsed / 1e6,
    handles: process.getActiveResourcesInfo().filter((each) => each !== 'Timeout').length,
    files: openFiles(),
  });
}
process.stdout.write(`${JSON.stringify(rounds)}\n`);

/** Only on systems that list open files. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
