import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createConfigSchema, findConfigProblems } from '../../../src/suite/config/config-shape.ts';
import { findTargetsProblems } from '../../../src/suite/config/target-problems.ts';

// The schema in an editor and the check in a run agree on a configuration, as far as a schema can express it.

const bySchema = new Ajv2020({ strict: true, strictTuples: false }).compile(createConfigSchema());
const byCheck = (config: object): boolean => findConfigProblems(config).length === 0;

const target = (fields: object): object => ({ targets: { mine: fields } });

/** Settings on which the two always agree, with values near the border between valid and invalid. */
const agreeing: readonly (readonly [what: string, config: (text: string) => object, near: string])[] = [
  ['timeout', (timeout) => ({ timeout }), '(PT?)?[0-9]{0,14}[smhdDHMS]?[0-9]{0,2}S?'],
  ['gracePeriod', (gracePeriod) => ({ gracePeriod }), '(PT?)?[0-9]{0,14}[smhdDHMS]?'],
  ['rate', (rate) => ({ rate }), '[01]{0,7}(\\.[0-9]{0,4})?/[smhd]?'],
  ['maxRate', (maxRate) => ({ maxRate }), '[019]{0,4}(\\.[09]{0,10})? ?%?'],
  ['documents', (name) => ({ documents: [name] }), '[- ]{0,2}'],
  ['listen', (place) => ({ listen: { shop: place } }), '(\\[?::1\\]?|localhost)?:?[0-9]{0,6}'],
  ['the name of an actor in listen', (name) => ({ listen: { [name]: 'localhost:1' } }), '[*a_ -]{0,3}'],
  ['reporter', (name) => ({ reporter: [name] }), '(text|html|a)?[./\\\\]?=?[a=]?'],
  ['a target’s name', (name) => ({ targets: { [name]: { llm: 'm' } } }), '(gullible|guarded|external)?[.a:-]?'],
  ['llm', (llm) => target({ llm }), '(openai|anthropic)?/? ?m?'],
  ['a turn’s timeout', (timeout) => target({ command: 'a', timeout }), '[01]{0,3}[smhd]'],
  ['start.timeout', (timeout) => target({ agUi: 'http://a/', start: { command: 'a', timeout } }), '[01]{0,3}s'],
  ['maxOutput', (maxOutput) => target({ command: 'a', maxOutput }), ' ?[01]{0,3}(\\.[01]{0,4})? ?[kmgKMG]?[bB]'],
  ['maxMemory', (maxMemory) => target({ command: 'a', maxMemory }), '[01]{0,3}(\\.[01]{0,4})?[kmgKMG]?[bB]?'],
  ['files', (path) => target({ command: 'a', files: { [path]: '' } }), '/?(\\.{0,3}/?a?/?){0,3}'],
  ['the argument of a command', (word) => target({ command: ['a', word] }), '[ \\0a]{0,2}'],
  ['the program of a command', (word) => target({ command: [word, 'a'] }), '[ \\0a]{0,2}'],
  ['env', (name) => target({ command: 'a', env: { [name]: '' } }), '[0A_=]{0,3}'],
  ['headers', (name) => target({ agUi: 'http://a/', headers: { [name]: '' } }), '[a: -]{0,3}'],
  ['a2a', (a2a) => target({ a2a }), '(HTTP|grpcs?|ftp):/{0,3}(\\{\\{)?a? ?'],
];

describe('the configuration schema and the check of a run', () => {
  test.each(agreeing)('accept and refuse the same values of %s', (_, config, near) => {
    const texts = fc.oneof(fc.stringMatching(new RegExp(`^${near}$`)), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(texts, (text) => {
        const made = config(text);
        expect(bySchema(made), JSON.stringify(made)).toBe(byCheck(made));
      }),
      { numRuns: 300 },
    );
  });
});

/** Settings that the check knows more about: it never accepts what the schema refuses. */
const stricter: readonly (readonly [what: string, config: (text: string) => object, near: string])[] = [
  ['an http target', (http) => target({ http }), '([hH]ttps?|ftp):/{0,3}[a[?#\\\\ {]{0,3}'],
  ['baseUrl', (baseUrl) => target({ llm: 'm', baseUrl }), '([hH]ttps?|ftp):/{0,3}[a[?#\\\\ ]{0,3}'],
  ['connect', (place) => ({ connect: { shop: place } }), '(command:|http://)?[aA= "|]{0,4}'],
  ['redact', (pattern) => ({ redact: [pattern] }), '[a*()[]{0,4}'],
  ['command', (command) => target({ command }), '[a "|\\0]{0,4}'],
];

describe('the configuration schema', () => {
  test.each(stricter)('accepts every value of %s that the check accepts', (_, config, near) => {
    const texts = fc.oneof(fc.stringMatching(new RegExp(`^${near}$`)), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(texts, (text) => {
        const made = config(text);
        if (byCheck(made)) expect(bySchema(made), JSON.stringify(made)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test('a size or path that the configuration check accepts is also accepted when targets are read', () => {
  const sizes = fc.stringMatching(/^[01]{1,3}(\.[01]{1,3})?[kmgKMG]?[bB]$/);
  const paths = fc.stringMatching(/^(\.?\/?a?\/?){1,3}$/);
  fc.assert(
    fc.property(sizes, paths, (maxOutput, path) => {
      const targets = { mine: { command: 'a', maxOutput, files: { [path]: '' } } };
      if (byCheck({ targets })) expect(findTargetsProblems(targets)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
