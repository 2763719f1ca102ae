/**
 * The rooms whose tests are measured, and the tests that run on a mutant of each, in this order.
 */
export const rooms: { readonly [room: string]: readonly string[] } = {
  primitives: [
    'test/primitives',
    'test/conformance.test.ts',
    'test/evaluate',
    'test/engine/values',
    'test/engine/run.test.ts',
  ],
  evaluate: ['test/evaluate', 'test/cel.test.ts', 'test/conformance.test.ts'],
  judge: [
    'test/judge/delivery',
    'test/judge/decide-outcome',
    'test/judge/needs',
    'test/judge/shortfalls',
    'test/judge/task',
    'test/judge/judge.test',
    'test/judge/coverage',
    'test/judge/outcome',
    'test/judge/blanked',
    'test/judge/fingerprint',
    'test/evaluate-trace.test.ts',
  ],
  validate: [
    'test/conformance.test.ts',
    'test/diagnose.test.ts',
    'test/validate',
    'test/marks/wire',
    'test/marks/awaits',
    'test/explanations.test.ts',
  ],
  engine: ['test/engine', 'test/bindings', 'test/mcp-client/virtual.test.ts', 'test/ag-ui/user.test.ts'],
  bindings: [
    'test/bindings',
    'test/mcp-client/virtual.test.ts',
    'test/evaluate',
    'test/judge/outcome',
    'test/a2a/push.test.ts',
    'test/a2a/card.test.ts',
    'test/engine',
  ],
  suite: [
    'test/suite',
    'test/judging',
    'test/availability/observe',
    'test/cli/input.test.ts',
    'test/ag-ui/user.test.ts',
    'test/report/standing',
    'test/generate',
  ],
};
