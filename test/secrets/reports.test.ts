import { describe, expect, test } from 'vitest';
import { reporters } from '../../src/report/reporters.ts';
import { context, oneEach, open, resultsOf } from '../report/some-results.ts';
import { fieldsIn, key, planted, written } from './texts-in.ts';

const rows = [
  ['in evidence', resultsOf([{ outcomes: ['exploited'], evidence: `the key is ${key}, keep it` }]), key],
  [
    'under the key password',
    resultsOf([{ outcomes: ['exploited'], evidence: 'hunter22', match: { path: 'arguments.login[0].password' } }]),
    'hunter22',
  ],
  ['in a reason', resultsOf([{ outcomes: ['error'], reason: `the agent answered 401: ${key}` }]), key],
  [
    'in the address of an agent',
    resultsOf([{ outcomes: ['exploited'], agent: 'ag-ui:https://me:pa55word@host' }]),
    'pa55word',
  ],
] as const;

const shared = ['text', 'junit', 'sarif', 'markdown', 'github'] as const;

describe.each(rows)('a secret %s', (_where, results, secret) => {
  test.each(shared)('is masked in the %s report', async (name) => {
    const report = await reporters[name](results, context);
    expect(report).not.toContain(secret);
    expect(report).toMatch(/\*{4}|(?:&#42;){4}/);
  });

  test.each(shared)('is shown in the %s report if secrets are asked for', async (name) => {
    expect(await reporters[name](results, open)).toContain(secret);
  });

  test.each(['json', 'jsonl'] as const)('is in the %s report as it is in the results', async (name) => {
    expect(await reporters[name](results, context)).toContain(secret);
  });
});

// A secret is put into every field of the results, one after the other.
test.each(shared)('the %s report shows no secret in a field that quotes others', async (name) => {
  const out: string[] = [];
  for (const [field, path] of fieldsIn(oneEach))
    if ((await reporters[name](planted(oneEach, path), context)).includes(key)) out.push(field);
  expect(out.filter((field) => !written.has(field))).toEqual([]);
});
