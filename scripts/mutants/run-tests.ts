import { fileURLToPath } from 'node:url';
import { BaseSequencer, createVitest, type Reporter, type TestSpecification, type Vitest } from 'vitest/node';

// The process that runs the tests on one changed file after the other. If a mutant never ends, this process is killed.

/** What one run of the tests is asked for. */
export interface TestRequest {
  readonly tests: readonly string[];
  /** The changed file. Without it, the tests run on the program as it is. */
  readonly file?: string;
  readonly code?: string;
}

export interface TestVerdict {
  readonly passed: boolean;
  /** The first test that failed. */
  readonly by?: string;
}

let current: TestRequest = { tests: [] };

/** The first failure of the current run. */
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

/** Keeps the order of the table. */
class AsListed extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications;
  }
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
    // The files of a run share the modules that they load; the next run starts a new thread.
    isolate: false,
    sequence: { sequencer: AsListed },
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
process.on('message', async (request: TestRequest) => {
  const { file: before } = current;
  current = request;
  for (const file of [before, request.file]) if (file !== undefined) vitest.invalidateFile(file);
  process.send?.(await runTests(request.tests));
});

/** Runs the tests one after the other. The first tests of a module notice most mutants, and the rest are then skipped. */
async function runTests(tests: readonly string[]): Promise<TestVerdict> {
  failed = undefined;
  const specifications = new Map<string, TestSpecification>();
  for (const some of tests) {
    const named = await vitest.globTestSpecifications([some]);
    if (named.length === 0) return { passed: false, by: `there are no tests ${some}` };
    for (const specification of named)
      if (!specifications.has(specification.moduleId)) specifications.set(specification.moduleId, specification);
  }
  const { unhandledErrors } = await vitest.runTestSpecifications([...specifications.values()]);
  if (failed === undefined && unhandledErrors.length > 0) failed = 'an error that no test caught';
  return failed === undefined ? { passed: true } : { passed: false, by: failed };
}

process.send?.('ready');
