import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLlmSettings } from '../../../../src/agents/built-in/llm/llm-settings.ts';
import { freshFolder } from '../../../support/fresh-folder.ts';

type Settings = NonNullable<Parameters<typeof readLlmSettings>[2]>['target'];

describe('readLlmSettings, the model name', () => {
  const usual = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' };
  test.each([
    ['gpt-x', usual, { api: 'openai', model: 'gpt-x', baseUrl: 'https://api.openai.com/v1', key: 'a' }],
    ['claude-x', usual, { api: 'anthropic', model: 'claude-x', key: 'b' }],
    ['openai/claude-x', usual, { api: 'openai', model: 'claude-x' }],
    ['anthropic/mine', usual, { api: 'anthropic', model: 'mine' }],
    ['m', { OATF_LLM_BASE_URL: 'http://127.0.0.1:1/v1/' }, { baseUrl: 'http://127.0.0.1:1/v1', key: undefined }],
    ['m', { ...usual, OATF_LLM_KEY: 'c' }, { key: 'c' }],
  ])('reads %s from the usual variables', (spec, environment, expected) => {
    expect(readLlmSettings(spec, environment)).toMatchObject(expected);
  });
  test.each([
    ['', usual],
    ['openai/', usual],
    ['gpt-x', {}],
    ['m', { OATF_LLM_BASE_URL: 'nowhere' }],
  ])('rejects %o', (spec, environment) => {
    expect(readLlmSettings(spec, environment)).toHaveProperty('problem');
  });
});

describe('readLlmSettings, settings', () => {
  const here = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
  test.each<[string, object, Settings, object]>([
    ['uses default values', {}, undefined, { maxTokens: 4_096 }],
    [
      'uses the configuration',
      {},
      { temperature: 0, maxTokens: 9, systemPrompt: 'be good', prices: { input: 1, output: 2 } },
      { temperature: 0, maxTokens: 9, systemPrompt: 'be good', prices: { input: 1, output: 2 } },
    ],
    [
      'prefers OATF variables to the configuration',
      {
        OATF_LLM_TEMPERATURE: '.5',
        OATF_LLM_MAX_TOKENS: '10',
        OATF_LLM_SYSTEM_PROMPT: 'be bad',
        OATF_LLM_PRICE_INPUT: '3',
        OATF_LLM_PRICE_OUTPUT: '0',
        OATF_LLM_BASE_URL: 'http://127.0.0.1:3',
        OATF_LLM_KEY: 'k3',
      },
      {
        temperature: 0,
        maxTokens: 9,
        systemPrompt: 'be good',
        baseUrl: 'http://127.0.0.1:2',
        keyEnv: 'MINE',
      },
      {
        temperature: 0.5,
        maxTokens: 10,
        systemPrompt: 'be bad',
        prices: { input: 3, output: 0 },
        baseUrl: 'http://127.0.0.1:3',
        key: 'k3',
      },
    ],
    [
      'prefers the configuration to the usual variables of a service',
      { OPENAI_API_KEY: 'k1', MINE: 'k2' },
      { baseUrl: 'http://127.0.0.1:2/', keyEnv: 'MINE' },
      { baseUrl: 'http://127.0.0.1:2', key: 'k2' },
    ],
  ])('%s', (_, environment, target, expected) => {
    expect(readLlmSettings('m', { ...here, ...environment }, { target })).toMatchObject(expected);
  });

  test.each<[object, Settings]>([
    [{ OATF_LLM_TEMPERATURE: 'warm' }, {}],
    [{ OATF_LLM_TEMPERATURE: '3' }, {}],
    [{}, { temperature: -1 }],
    [{ OATF_LLM_MAX_TOKENS: '0' }, {}],
    [{}, { maxTokens: 1.5 }],
    [{ OATF_LLM_PRICE_INPUT: '1' }, {}],
    [{ OATF_LLM_PRICE_INPUT: '1', OATF_LLM_PRICE_OUTPUT: '-1' }, {}],
    [{ OATF_LLM_BASE_URL: 'ftp://127.0.0.1' }, {}],
    [{}, { keyEnv: 'NOT_THERE' }],
    [{}, { keyEnv: 'A', keyFile: 'b' }],
  ])('rejects %o %o with a hint', (environment, target) => {
    expect(readLlmSettings('m', { ...here, ...environment }, { target })).toMatchObject({
      problem: expect.any(String),
      hint: expect.any(String),
    });
  });

  test.each<[string, object, Settings]>([
    ['OATF_LLM_BASE_URL', { OATF_LLM_BASE_URL: 'me:planted-1@nowhere' }, {}],
    ['OATF_LLM_BASE_URL', { OATF_LLM_BASE_URL: 'ftp://me:planted-1@127.0.0.1' }, {}],
    ['OATF_LLM_BASE_URL', { OATF_LLM_BASE_URL: 'http://127.0.0.1/v1?key=planted-1' }, {}],
    ['OATF_LLM_BASE_URL', { OATF_LLM_BASE_URL: 'http://127.0.0.1/v1?' }, {}],
    ['baseUrl', {}, { baseUrl: 'http://127.0.0.1/#planted-1' }],
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'planted-1' }, {}],
  ])('names the source %s of a wrong URL: %o %o', (name, environment, target) => {
    const found = readLlmSettings('m', { ...here, ...environment }, { target });
    expect(found).toMatchObject({
      problem: expect.stringMatching(new RegExp(`^${name} `)),
      hint: expect.stringContaining(`${name} says where the model is`),
    });
    expect(JSON.stringify(found)).not.toContain('planted');
  });

  test.each([
    ['a URL with a password', { OATF_LLM_BASE_URL: 'http://me:planted-1@127.0.0.1/' }],
    ['a key of two words', { OATF_LLM_KEY: 'planted-1 planted-2' }],
    ['a key with a line break', { OPENAI_API_KEY: 'planted-1\n' }],
    ['a key that cannot be sent in a header', { OPENAI_API_KEY: 'planted-\u20ac' }],
  ])('rejects %s without repeating it', (_, environment) => {
    const problem = JSON.stringify(readLlmSettings('m', { ...here, ...environment }));
    expect(problem).toContain('"problem"');
    expect(problem).not.toContain('planted');
  });
});

describe('readLlmSettings, the key file', () => {
  const folder = freshFolder();
  for (const [name, text] of [
    ['good', 'sk-planted-7\n'],
    ['windows', '\r\nsk-planted-8\r\n'],
    ['empty', ' \n\n'],
    ['two', 'sk-planted-9\nsk-planted-10\n'],
    ['words', 'sk planted'],
    ['endless', 'planted'.repeat(100_000)],
  ] as const)
    writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'folder'));
  const read = (keyFile: string) => readLlmSettings('m', {}, { target: { keyFile }, folder });

  test.each([
    ['good', 'sk-planted-7'],
    ['windows', 'sk-planted-8'],
  ])('reads the key from the file "%s"', (name, key) => {
    expect(read(name)).toMatchObject({ key });
    expect(readLlmSettings('m', { OATF_LLM_KEY_FILE: join(folder, name) })).toMatchObject({ key });
  });

  test.each([
    ['missing', 'the key file "missing" cannot be read: there is none'],
    ['folder', 'the key file "folder" cannot be read: it is a folder'],
    ['empty', 'the key file "empty" is empty'],
    ['two', 'the key file "two" has several lines'],
    ['words', 'the key file "words": its value cannot be a key'],
    ['endless', 'the key file "endless": its value cannot be a key'],
  ])('rejects the file "%s"', (name, problem) => {
    expect(read(name)).toEqual({ problem, hint: expect.any(String) });
  });

  test('tries no other key when the file is missing', () => {
    const environment = { OPENAI_API_KEY: 'other' };
    expect(readLlmSettings('m', environment, { target: { keyFile: 'missing' }, folder })).toHaveProperty('problem');
  });
});
