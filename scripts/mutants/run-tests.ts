import { fileURLToPath } from 'node:url';
import { createVitest, type Reporter, type Vitest } from 'vitest/node';

// The process that runs the tests on one changed file after the other. If a mutant never ends, this process is killed.

export interface Order {
  readonly tests: readonly string[];
  /** The changed file. Without it, the tests run on the program as it is. */
  readonly file?: string;
  readonly code?: string;
}

export interface Told {
  readonly passed: boolean;
  /** The first test that failed. */
  readonly by?: string;
}

let current: Order = { tests: [] };

/** The first failure since the last order. */
let failed: string | undefined;

/** Stops the tests at the first failure: one is enough. */
const stopping: Reporter = {
  onTestCaseResult(test) {
    if (test.result().state === 'failed') stop(`${test.module.relativeModuleId} > ${test.fullName}`);
  },
  onTestModuleEnd(module) {
    const [error] = module.errors();
    if (error !== undefined) stop(`${module.relativeModuleId}: ${error.message}`);
  },
};

function stop(by: string): void {
  failed ??= by;
  void vitest.cancelCurrentRun('test-failure');
}

const vitest: Vitest = await createVitest(
  'test',
  {
    config: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    watch: false,
    maxWorkers: 1,
    pool: 'threads',
    // The parent process has a time limit. A test that is only slow must not count as one that noticed the mutant.
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

/** Runs the tests one after the other. The first tests of a module notice most mutants, and the rest are then skipped. */
async function show(tests: readonly string[]): Promise<Told> {
  failed = undefined;
  for (const some of tests) {
    const specifications = await vitest.globTestSpecifications([some]);
    if (specifications.length === 0) return { passed: false, by: `there are no tests ${some}` };
    const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
    if (failed === undefined && unhandledErrors.length > 0) failed = 'an error that no test caught';
    if (failed !== undefined) return { passed: false, by: failed };
  }
  return { passed: true };
}

process.send?.('ready');
