import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    globalSetup: 'test/support/setup.ts',
    setupFiles: 'test/support/judged-again.ts',
    // By default one core is left alone, which on two cores is half of them. Tests wait more than they work.
    maxWorkers: '100%',
    // Loading the product anew for each file would take longer than most of them. So a file leaves nothing behind for the next:
    // no hook at the top of a module that others import, no changed environment, no timer.
    isolate: false,
  },
});
