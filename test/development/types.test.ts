import { expect, test } from 'vitest';
import type { Document } from '../../src/format/model/attack-document.ts';
import { evaluateTrace, normalize, parse } from '../../src/index.ts';

test('evaluating a document that was never normalized does not compile', () => {
  const parsed = parse('{oatf: "0.1", attack: {execution: {mode: mcp_server, state: {}}}}');
  const document = parsed.ok ? parsed.document : ({} as Document);
  // @ts-expect-error a Document is not a NormalizedDocument
  const evaluate = () => evaluateTrace(document, []);
  expect(evaluate).toThrow();
  expect(evaluateTrace(normalize(document), []).verdict.result).toBe('error');
});
