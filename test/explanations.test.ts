import { describe, expect, test } from 'vitest';
import { type ExplainedCode, type Explanation, explanations } from '../src/cli/explanations.ts';
import { normalize, parse } from '../src/index.ts';
import { diagnoseMarked as diagnose } from '../src/load-marked.ts';
import { runWarnings } from '../src/registry/rules.ts';

const rows = Object.entries(explanations) as [ExplainedCode, Explanation][];
const steps = rows.filter(([code]) => code.startsWith('N-'));
const whileRunning = rows.filter(([code]) => Object.hasOwn(runWarnings, code));
const faults = rows.filter((row) => !steps.includes(row) && !whileRunning.includes(row));

/** Rule ids and kinds of parse errors: every `unknown_variant` is also V-005, so it shows only as a kind. */
function codesIn(text: string): readonly string[] {
  const parsed = parse(text);
  const kinds = parsed.ok ? [] : parsed.errors.map((error) => error.kind);
  return [...diagnose(text).map((diagnostic) => diagnostic.code), ...kinds];
}

function errorsIn(text: string): readonly string[] {
  return diagnose(text)
    .filter((diagnostic) => diagnostic.severity === 'error')
    .map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

function documentOf(text: string) {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.errors.map((error) => error.message).join('\n'));
  return parsed.document;
}

describe.each(faults)('explanation of %s', (code, { wrong, right }) => {
  const reported = code === 'V-002' ? 'W-001' : code;

  test('the wrong document has the fault', () => {
    expect(codesIn(wrong)).toContain(reported);
  });

  test('the corrected document no longer has the problem', () => {
    expect(codesIn(right)).not.toContain(reported);
  });

  test('the mended document has no error', () => {
    expect(errorsIn(right)).toEqual([]);
  });
});

describe.each(whileRunning)('explanation of %s', (_code, { wrong, right }) => {
  test('both documents are valid', () => {
    expect([...errorsIn(wrong), ...errorsIn(right)]).toEqual([]);
  });
});

describe.each(steps)('explanation of %s', (_code, { wrong, right }) => {
  test('both documents are valid', () => {
    expect([...errorsIn(wrong), ...errorsIn(right)]).toEqual([]);
  });

  test('the step changes the first document', () => {
    expect(normalize(documentOf(wrong))).not.toEqual(documentOf(wrong));
  });

  test('both documents normalize to the same', () => {
    expect(normalize(documentOf(wrong))).toEqual(normalize(documentOf(right)));
  });

  test('the second document is normal already', () => {
    expect(normalize(documentOf(right))).toEqual(documentOf(right));
  });
});

test.each(rows)('explanation of %s is a lower-case title and a short paragraph', (_code, { title, why }) => {
  expect(title).toMatch(/^[^A-Z].{9,79}[^.]$/);
  expect(why.match(/[.](?= |$)/g)?.length).toSatisfy((count: number) => count >= 2 && count <= 6);
});
