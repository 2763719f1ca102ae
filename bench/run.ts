import { benchA2a } from './a2a.ts';
import { benchEvaluate } from './evaluate.ts';
import { benchGenerated } from './generated.ts';
import { benchHostile } from './hostile.ts';
import { benchLibrary } from './library.ts';
import { benchLoad } from './load.ts';
import type { Figure } from './measure.ts';
import { benchMemory } from './memory.ts';
import { benchReport } from './report.ts';
import { benchRuns } from './runs.ts';
import { benchServe } from './serve.ts';
import { benchSize } from './size.ts';
import { benchSoak } from './soak.ts';
import { benchStartup } from './startup.ts';
import { benchStdio } from './stdio.ts';
import { benchSuite } from './suite.ts';
import { benchWholeRun } from './whole-run.ts';

const benches: { readonly [name: string]: () => Figure[] | Promise<Figure[]> } = {
  load: benchLoad,
  evaluate: benchEvaluate,
  startup: benchStartup,
  size: benchSize,
  hostile: benchHostile,
  memory: benchMemory,
  generated: benchGenerated,
  serve: benchServe,
  a2a: benchA2a,
  stdio: benchStdio,
  runs: benchRuns,
  'whole-run': benchWholeRun,
  report: benchReport,
  suite: benchSuite,
  library: benchLibrary,
  soak: benchSoak,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  process.stderr.write(`no bench is named ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}\n`);
  process.exitCode = 64;
} else
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const figure of await bench()) {
      const { name: title, value, bound = '', ok = true } = figure;
      process.stdout.write(`${ok ? 'ok  ' : 'OVER'}  ${title}: ${value}${bound === '' ? '' : `  (${bound})`}\n`);
      if (!ok) process.exitCode = 1;
    }
  }
