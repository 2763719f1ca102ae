import { fileURLToPath } from 'node:url';
import { createVitest, type Reporter, type TestModule, type Vitest } from 'vitest/node';

// A process of its own: it shows one changed file after the other to the tests. A mutant that never ends is ended with it.

export interface Order {
  readonly tests: readonly string[];
  /** The file as it is to be read, or nothing to see whether the tests pass at all. */
  readonly file?: string;
  readonly code?: string;
}

export interface Told {
  readonly passed: boolean;
  /** The first test that failed. */
  readonly by?: string;
}

let current: Order = { tests: [] };

/** One failure is enough. */
const stopping: Reporter = {
  onTestCaseResult(test) {
    if (test.result().state === 'failed') void vitest.cancelCurrentRun('test-failure');
  },
};
const vitest: Vitest = await createVitest(
  'test',
  {
    config: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    watch: false,
    maxWorkers: 1,
    pool: 'threads',
    // Whoever waits for us has the patience; a busy machine must not pass for a test that noticed.
    testTimeout: 0,
    reporters: [stopping],
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform: (_code: string, id: string) => (id === current.file ? current.code : undefined),
      },
    ],
  },
);

process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  const { file: before } = current;
  current = order;
  for (const file of [before, order.file]) if (file !== undefined) vitest.invalidateFile(file);
  process.send?.(await show(order.tests));
});

/** One after the other: the first tests of a room notice most, and the later ones need not run then. */
async function show(tests: readonly string[]): Promise<Told> {
  for (const some of tests) {
    const specifications = await vitest.globTestSpecifications([some]);
    if (specifications.length === 0) return { passed: false, by: `there are no tests ${some}` };
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    // What is given are the modules of all runs so far, with what was last seen of each.
    const ran = new Set(specifications.map(({ moduleId }) => moduleId));
    const by = firstFailure(
      testModules.filter(({ moduleId }) => ran.has(moduleId)),
      unhandledErrors,
    );
    if (by !== undefined) return { passed: false, by };
  }
  return { passed: true };
}

function firstFailure(modules: readonly TestModule[], unhandled: readonly unknown[]): string | undefined {
  for (const module of modules) {
    const [failed] = [...module.children.allTests('failed')];
    if (failed !== undefined) return `${module.relativeModuleId} > ${failed.fullName}`;
    const [error] = module.errors();
    if (error !== undefined) return `${module.relativeModuleId}: ${error.message}`;
  }
  return unhandled.length > 0 ? 'an error that no test caught' : undefined;
}

process.send?.('ready');
