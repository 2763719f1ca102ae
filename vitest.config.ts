import { defineConfig } from 'vitest/config';

/** Tests of functions alone: nothing of one file is left for the next, so they share what they load. */
const together = [
  'test/{bindings,config,engine,evaluate,expression,primitives,scripts,suite}/**/*.test.ts',
  'test/{cel,conformance,conformance-runner,diagnose,evaluate-trace,explanations,json-schema}.test.ts',
  'test/{layers,library,properties,public-names,required-literals}.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    setupFiles: 'test/support/judged-again.ts',
    // By default one core is left alone, which on two cores is half of them. Tests wait more than they work.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: { name: 'together', include: together, isolate: false, globalSetup: 'test/support/setup.ts' },
      },
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: together } },
    ],
  },
});
