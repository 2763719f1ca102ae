import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { yamlBuild } from './scripts/package-builds.ts';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * Node 20 optimizes code early, which takes a quarter of the processor time of a worker: most code of the tests does not run
 * often enough to repay it. So it is optimized later. Newer versions do not know this flag.
 */
const optimizedLater = process.versions.node.startsWith('20.') ? ['--interrupt-budget=500000'] : [];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    alias: yamlBuild,
    testTimeout: 120_000,
    globalSetup: 'test/support/setup.ts',
    setupFiles: 'test/support/judged-again.ts',
    // Tests wait about as long as they compute: for programs to start and end, and to see that something does not happen.
    // So there are two workers for each core.
    maxWorkers: 2 * availableParallelism(),
    // Tests make much that is soon forgotten. With more room for it, less is copied before it is.
    execArgv: ['--max-semi-space-size=64', ...optimizedLater],
    sequence: { sequencer: LongestFirst },
    // Loading the product anew for each file would take longer than most of them. So a file leaves nothing behind for the next:
    // no hook at the top of a module that others import, no changed environment, no timer.
    isolate: false,
    // Node itself reads what packages export, as it does for users. Looking through a proxy would cost at every use.
    deps: { interopDefault: false },
  },
});
