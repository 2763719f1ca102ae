import { vi } from 'vitest';
import type { TraceRecord } from '../../src/index.ts';

// Runs before every test file: every run is judged a second time, from its trace alone, and must have the same outcome.

/** A flood is not kept, and a redacted trace cannot be judged again. */
const mostKept = 20_000;
const masked = /\[redacted[^\]]*\]|\*{3,}/;

vi.mock('../../src/suite/play/play-run.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/suite/play/play-run.ts')>();
  // Most test files play nothing, and need not wait for this.
  const [{ evaluateTrace }, { expectSame }] = await Promise.all([
    import('../../src/index.ts'),
    import('./same-again.ts'),
    // A run loads these when it needs them. On a virtual clock it would be over before they are there.
    import('../../src/suite/play/judge-trace.ts'),
    import('../../src/judgement/evaluate/cel-evaluator.ts'),
  ]);
  return {
    ...original,
    async playDocument(...[document, options]: Parameters<typeof original.playDocument>) {
      const trace: TraceRecord[] = [];
      const result = await original.playDocument(document, {
        ...options,
        record(record) {
          if (trace.length <= mostKept) trace.push(record);
          options.record?.(record);
        },
      });
      if (trace.length > mostKept || masked.test(JSON.stringify([trace, result]))) return result;
      const bindings = options.modes.map(({ binding }) => binding.views);
      const { projections } = options;
      expectSame(evaluateTrace(document, trace, { bindings, projections }), result);
      return result;
    },
  };
});
