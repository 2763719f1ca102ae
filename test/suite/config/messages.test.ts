import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Config } from '../../../src/suite/config/config.ts';
import { findConfigProblems } from '../../../src/suite/config/config-shape.ts';
import { findJsonFlaw } from '../../../src/suite/config/load-config.ts';
import { findNamedJudge, redactAgentSpec } from '../../../src/suite/config/named-agent.ts';
import { shareFrom } from '../../../src/suite/config/value-patterns.ts';

// What a user reads about a wrong setting: what is wrong, and what would be right.

const problemsOf = (text: string): readonly string[] =>
  findConfigProblems(parse(text)).map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));

describe('the message about a setting', () => {
  test.each<[what: string, text: string, message: string]>([
    ['without a value', 'timeout:', 'expected a text, found nothing'],
    ['that is a list in place of a text', 'timeout: [30s]', 'expected a text, found a list'],
    ['that is a mapping in place of a text', 'timeout: { a: b }', 'expected a text, found a mapping'],
    ['that is a number in place of a text', 'prompt: 7', 'expected a text, found a number (put it in quotes: "7")'],
    ['that is a duration without a unit', 'timeout: 30', 'expected a text, found a number (such as 30s or 5m)'],
    ['that is a text in place of true or false', 'twins: often', 'expected true or false, found a text'],
    ['that is a number in place of true or false', 'projections: 1', 'expected true or false, found a number'],
    ['that is a text in place of a number', 'seed: ten', 'expected a number, found a text'],
    ['that is not a whole number', 'repeat: 1.5', '1.5 is not a whole number from 1 to 100000'],
    ['that is above the highest number', 'repeat: 100001', '100001 is not a whole number from 1 to 100000'],
    ['that is above the highest seed', 'seed: 4294967296', '4294967296 is not a whole number from 0 to 4294967295'],
    ['that is below the lowest number', 'retries: -1', '-1 is not a whole number from 0 to 100000'],
    [
      'that has a lowest and no highest number',
      'targets: { mine: { llm: m, maxTokens: 0 } }',
      '0 is not a whole number from 1 on',
    ],
    [
      'that is outside of a range of numbers',
      'targets: { mine: { llm: m, temperature: 2.1 } }',
      '2.1 is not a number from 0 to 2',
    ],
    [
      'that is a word in place of a duration',
      'timeout: soon',
      '"soon" is not a duration (write 30s, 5m, 1h, 2d, or ISO 8601 such as PT30S or P1DT12H)',
    ],
    ['that is a timeout of zero', 'timeout: 0s', '"0s" must be longer than zero (such as 30s or 5m)'],
    [
      'that is nearly a choice',
      'delivery: strct',
      '"strct" is not one of payload, strict, reached (did you mean strict?)',
    ],
    ['that is like no choice', 'delivery: all', '"all" is not one of payload, strict, reached'],
    [
      'that is a program with a NUL character',
      'targets: { mine: { command: ["a\\0"] } }',
      '"a\\u0000" has a NUL character, which no command can contain',
    ],
    [
      'that is a URL with placeholders, without the URL',
      'targets: { mine: { http: "http://a/{{prompt}}", body: "", answer: a } }',
      'this has placeholders (only headers and bodies can have them)',
    ],
    [
      'that names a variable wrongly, without the text',
      'targets: { mine: { llm: m, keyEnv: "sk-1" } }',
      'this is not valid here (such as MY_KEY)',
    ],
    [
      'that is longer than sixty characters, cut to these',
      `delivery: ${'a'.repeat(61)}`,
      `"${'a'.repeat(60)}…" is not one of payload, strict, reached`,
    ],
  ])('%s says what is wrong, and what would be right', (_, text, message) => {
    expect(problemsOf(text)).toEqual([message]);
  });
});

test.each([['prices: { input: 0, output: 0 }'], ['maxTokens: 1000000'], ['temperature: 0'], ['temperature: 2']])(
  'findConfigProblems accepts a model with %s',
  (field) => {
    expect(problemsOf(`targets: { mine: { llm: m, ${field} } }`)).toEqual([]);
  },
);

describe('shareFrom', () => {
  test.each<[text: string, share: number | undefined]>([
    ['0', 0],
    ['1', 1],
    ['1.0', 1],
    ['.5', 0.5],
    ['5%', 0.05],
    ['100 %', 1],
    ['1.1', undefined],
    ['2', undefined],
    ['101%', undefined],
    ['often', undefined],
    ['', undefined],
  ])('reads "%s" as %s', (text, share) => {
    expect(shareFrom(text)).toBe(share);
  });
});

describe('findJsonFlaw', () => {
  test.each<[text: string, flaw: number]>([
    ['[[1], x]', 6],
    ['{"a": [1], "b"}', 14],
    ['[[1]] 2', 6],
    ['1, 2', 1],
    ['{"a": {"b": 1}} ', 16],
    ['[1, ]', 4],
    ['[1}', 2],
  ])('finds in %s the first offset that is not JSON: %i', (text, flaw) => {
    expect(findJsonFlaw(text)).toBe(flaw);
  });
});

describe('redactAgentSpec', () => {
  test.each([
    ['llm:openai/small', 'llm:openai/small'],
    ['mine', 'mine'],
    ['http://u:cnry-word@a.test/path', 'http://a.test/path'],
    ['comand:KEY=cnry-key node', 'comand:…'],
    ['command:KEY=cnry-key node agent.js', 'command:node'],
    ['command:', 'command:…'],
  ])('gives %s as %s', (text, redacted) => {
    expect(redactAgentSpec(text)).toBe(redacted);
  });
});

describe('findNamedJudge', () => {
  const config: Config = {
    targets: { program: { command: 'node' }, model: { llm: 'small', baseUrl: 'http://127.0.0.1:1/v1' } },
  };
  const loaded = { ok: true, path: '/p/oatf.config.yaml', folder: '/p', isCode: false, config } as const;
  const context = { cwd: '/', environment: {}, config: loaded };

  test.each([
    ['nobody', 'there is no such judge'],
    ['constructor', 'there is no such judge'],
    ['program', 'this target is not a language model'],
  ])('refuses %s, because %s', (name, problem) => {
    expect(findNamedJudge(name, context)).toMatchObject({ problem });
  });

  test('finds a target that is a model, under its name', () => {
    expect(findNamedJudge('model', context)).toMatchObject({ name: 'model' });
  });

  test('finds a model that is named directly', () => {
    expect(findNamedJudge('llm:small', { ...context, environment: { OPENAI_API_KEY: 'k' } })).toMatchObject({
      name: 'llm:small',
    });
  });
});
