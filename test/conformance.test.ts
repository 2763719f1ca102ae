import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { normalizationSteps, rules } from '../src/registry/rules.ts';
import { runConformance } from './support/conformance.ts';

const results = runConformance(fileURLToPath(new URL('./conformance', import.meta.url)));

describe('our own fixtures', () => {
  for (const { id, name, failure } of results)
    test(`${id}: ${name}`, () => {
      expect(failure).toBeUndefined();
    });
});

describe('every id has a case that breaks it and one that does not', () => {
  const names = results.map(({ name }) => name);
  for (const id of Object.keys(rules).filter((rule) => /^[VW]-/.test(rule)))
    test.each(['wrong', 'right'])(`${id} %s`, (side) => {
      expect(names.some((name) => name.startsWith(`${id} ${side}`))).toBe(true);
    });
  for (const id of Object.keys(normalizationSteps))
    test.each(['changes', 'leaves'])(`${id} %s`, (side) => {
      expect(names.some((name) => name.startsWith(`${id} ${side}`))).toBe(true);
    });
});
