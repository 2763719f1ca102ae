import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/setup.ts',
    testTimeout: 30_000,
    // By default one core is left alone, which on two cores is half of them. Tests wait more than they work.
    maxWorkers: '100%',
  },
});
