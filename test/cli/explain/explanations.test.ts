import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explainedCodes, readExplanation } from '../../../src/cli/explanations.ts';
import { diagnoseMarked as diagnose } from '../../../src/format/load-marked.ts';
import { runWarnings } from '../../../src/format/registry/rules.ts';
import { normalize, parse } from '../../../src/index.ts';

const rows = explainedCodes.map((code) => [code, readExplanation(code)] as const);
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

describe.each(faults)('the explanation of %s', (code, { wrong, right }) => {
  const reported = code === 'V-002' ? 'W-001' : code;

  test('has a wrong document with that fault', () => {
    expect(codesIn(wrong)).toContain(reported);
  });

  test('has a corrected document without that fault', () => {
    expect(codesIn(right)).not.toContain(reported);
  });

  test('has a corrected document without any error', () => {
    expect(errorsIn(right)).toEqual([]);
  });
});

describe.each(whileRunning)('the explanation of %s', (_code, { wrong, right }) => {
  test('has two valid documents', () => {
    expect([...errorsIn(wrong), ...errorsIn(right)]).toEqual([]);
  });
});

describe.each(steps)('the explanation of %s', (_code, { wrong, right }) => {
  test('has two valid documents', () => {
    expect([...errorsIn(wrong), ...errorsIn(right)]).toEqual([]);
  });

  test('has a first document that the step changes', () => {
    expect(normalize(documentOf(wrong))).not.toEqual(documentOf(wrong));
  });

  test('has two documents that normalize to the same', () => {
    expect(normalize(documentOf(wrong))).toEqual(normalize(documentOf(right)));
  });

  test('has a second document that is normal already', () => {
    expect(normalize(documentOf(right))).toEqual(documentOf(right));
  });
});

test.each(rows)('the explanation of %s has a lower-case title and a short paragraph', (_code, { title, why }) => {
  expect(title).toMatch(/^[^A-Z].{9,79}[^.]$/);
  expect(why.match(/[.](?= |$)/g)?.length).toSatisfy((count: number) => count >= 2 && count <= 6);
});

test('docs/codes has one page for each code, with its code as file name and heading', () => {
  const folder = new URL('../../../docs/codes/', import.meta.url);
  expect(readdirSync(folder).toSorted()).toEqual(explainedCodes.map((code) => `${code}.md`).toSorted());
  const headings = explainedCodes.map((code) => readFileSync(new URL(`${code}.md`, folder), 'utf8').split(': ')[0]);
  expect(headings).toEqual(explainedCodes.map((code) => `# ${code}`));
});
