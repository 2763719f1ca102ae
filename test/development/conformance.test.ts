import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { normalizationSteps, rules } from '../../src/format/registry/rules.ts';
import { casesIn, runConformance } from '../support/conformance/run-tree.ts';

const tree = fileURLToPath(new URL('../conformance/', import.meta.url));
const results = runConformance(tree, { exact: true });

describe('our own conformance fixtures', () => {
  for (const { id, name, failure } of results)
    test(`are met: ${id}: ${name}`, () => {
      expect(failure).toBeUndefined();
    });
});

/** A rule that only warns is named after its warning. */
const reportedAs: { readonly [rule: string]: string } = { 'V-002': 'W-001' };

describe('a conformance case that is named after a rule', () => {
  const named = casesIn(tree).flatMap(({ id, name, file, fixture }) => {
    const [, rule, side] = /^([VWO]-\d{3}) (wrong|right)/.exec(name) ?? [];
    return file.startsWith('validate/') && rule !== undefined ? [{ id, rule, side, fixture }] : [];
  });
  test.each(named)(
    '$id, whose document is $side, expects $rule exactly if that is wrong',
    ({ rule, side, fixture }) => {
      const { errors = [], warnings = [] } = fixture.expected;
      const rules = [...errors, ...warnings].map((expected: { rule: string }) => expected.rule);
      expect(rules.includes(reportedAs[rule] ?? rule)).toBe(side === 'wrong');
    },
  );
});

describe('the conformance cases for each rule', () => {
  const names = results.map(({ name }) => name);
  for (const id of Object.keys(rules).filter((rule) => /^([VW]-|O-0)/.test(rule)))
    test.each(['wrong', 'right'])(`have for ${id} one that is %s`, (side) => {
      expect(names.some((name) => name.startsWith(`${id} ${side}`))).toBe(true);
    });
  for (const id of Object.keys(normalizationSteps))
    test.each(['changes', 'leaves'])(`have for ${id} one that it %s`, (side) => {
      expect(names.some((name) => name.startsWith(`${id} ${side}`))).toBe(true);
    });
});
