import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackOptions, attack, attackAll, NotAttacked, type Selection } from '../../src/testing/testing.ts';
import { careful } from './agents.ts';

// Options without meaning are never ignored: each of these rejects before anything is played.

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oatf-options-'));
  file = join(folder, 'a-file');
  writeFileSync(file, '');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function wrong(attacked: Promise<unknown>): Promise<string> {
  const thrown = await attacked.then(
    () => expect.fail('it was played'),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(NotAttacked);
  return (thrown as Error).message;
}

const withAgent = (more: object): AttackOptions => ({ agent: careful, ...more }) as AttackOptions;

describe('the options of attack and attackAll', () => {
  test.each<[object, RegExp]>([
    [{ delivery: 'strct' }, /^delivery: "strct" .*\n {2}hint: did you mean strict\?$/],
    [{ delivery: true }, /^delivery: /],
    [{ delivry: 'strict' }, /^delivry: .*\n {2}hint: did you mean delivery\?$/],
    [{ grace_period: 1 }, /^grace_period: .*\n {2}hint: did you mean gracePeriod\?$/],
    [{ max_rate: 1 }, /did you mean maxRate\?/],
    [{ concurrency: 2 }, /^concurrency: unknown/],
    [{ projections: 'no' }, /^projections: expected true or false/],
    [{ prompt: 3 }, /^prompt: expected a text/],
    [{ prompt: null }, /^prompt: expected a text, found nothing/],
    [{ retries: -1 }, /^retries: /],
    [{ era: 'moder' }, /^era: .*\n {2}hint: did you mean modern\?$/],
    [{ era: 'both' }, /^era: /],
    [{ seed: 0.5 }, /^seed: /],
    [{ redact: 'all' }, /^redact: /],
    [{ redact: ['('] }, /^redact\[0\]: .*RE2/],
    [{ signal: 3 }, /^signal: this is not an AbortSignal/],
    [{ signal: new AbortController() }, /^signal: this is not an AbortSignal/],
    [{ timeout: Number.NaN }, /^timeout: NaN/],
    [{ timeout: Number.POSITIVE_INFINITY }, /^timeout: Infinity/],
    [{ timeout: '0s' }, /^timeout: "0s" must be longer than zero/],
    [{ timeout: {} }, /^timeout: expected a number or a text/],
    [{ gracePeriod: 'long' }, /^gracePeriod: "long"/],
    [{ repeat: 1.5 }, /^repeat: 1\.5/],
    [{ repeat: '3' }, /^repeat: expected a number/],
    [{ maxRate: '5%' }, /^maxRate: expected a number/],
    [{ transport: 'memry' }, /^transport: .*\n {2}hint: did you mean memory\?/],
    [{ listen: { stays: 99_999 } }, /^listen\.stays: 99999 is not a whole number from 0 to 65535/],
    [{ listen: { nosuchactor: 1 } }, /^listen\.nosuchactor: no server .*\n {2}hint: it can be stays/],
    [{ listen: { stay: 1 } }, /hint: did you mean stays\?/],
    [{ listen: { user: 1 } }, /^listen\.user: no server/],
    [{ listen: 8080 }, /^listen: expected a mapping/],
    [{ listen: { stays: 0 }, transport: 'memory' }, /^listen\.stays: no server that takes a port/],
    [{ connect: { user: 'x' } }, /^connect\.user: this is not a URL/],
    [{ connect: { stays: 'http://127.0.0.1:1/' } }, /^connect\.stays: no client/],
    [{ connect: { user: { uri: 'http://127.0.0.1:1/' } } }, /^connect\.user: .*\n {2}hint: did you mean url\?/],
    [{ connect: { user: { command: 'node' } } }, /^connect\.user: only mcp_client/],
    [{ out: '' }, /^out: /],
    [{ out: 7 }, /^out: /],
  ])('are refused with a message and a hint: %j', async (more, message) => {
    expect(await wrong(attack('OATS-001', withAgent(more)))).toMatch(message);
    if (!('concurrency' in more)) expect(await wrong(attackAll('OATS-001', withAgent(more)))).toMatch(message);
  });

  test('are all reported at once if several are wrong', async () => {
    expect(await wrong(attack('OATS-001', withAgent({ delivery: 1, prompt: 2, out: 3 })))).toMatch(
      /^delivery: .*^prompt: .*^out: /ms,
    );
  });

  test.each([[3], ['careful'], [[]]])('are refused if they are %j', async (options) => {
    expect(await wrong(attack('OATS-001', options as unknown as AttackOptions))).toMatch(/^options: /);
  });

  test('count as not set if they are undefined', async () => {
    const options = withAgent({
      prompt: undefined,
      delivery: undefined,
      listen: undefined,
      signal: undefined,
    });
    expect(await attack('OATS-001', options)).toResist();
  });
});

describe('the agent of attack', () => {
  test.each<[unknown, RegExp]>([
    [3, /^agent: a number is not an agent/],
    [true, /^agent: a boolean/],
    [[], /^agent: a list/],
    ['', /^agent: /],
    [{}, /^agent: a target needs one of command, /],
    [{ comand: 'x' }, /^agent: a target needs .*\n {2}hint: did you mean command\?/],
    [{ command: 'echo', output: 'jsno' }, /^agent\.output: "jsno" is not one of/],
    [{ command: 'echo', otput: 'json' }, /^agent\.otput: .*\n {2}hint: did you mean output\?/],
    [{ command: 'echo', llm: 'm' }, /^agent: a target has one of .*this has command and llm/],
    [{ command: 'echo {{promt}}', answer: '$.a' }, /^agent\.command: .*\nagent\.answer: /s],
    [{ http: 'localhost' }, /^agent\.http: /],
    [{ launch: 3 }, /^agent: `launch` is not a function/],
    [{ launch: async () => {}, name: 'mine', kind: 'own' }, /^agent: `speaks`/],
  ])('is refused with a message if it is %j', async (agent, message) => {
    const options = { agent } as unknown as AttackOptions;
    expect(await wrong(attack('OATS-001', options))).toMatch(message);
  });

  test('may have other kinds that are undefined', async () => {
    const agent = { command: undefined, function: careful };
    expect(await attack('OATS-001', { agent } as unknown as AttackOptions)).toResist();
  });
});

describe('the document of attack', () => {
  test.each<[unknown, RegExp]>([
    ['', /"" names no document/],
    [' ', /names no document/],
    ['-', /names no document/],
    [null, /null is not a document/],
    [undefined, /undefined is not a document/],
    [3, /number is not a document/],
    [new URL('https://example.test/a.yaml'), /https:.*file: URL/s],
    [{ oatf: '0.1', attack: { size: 1n } }, /cannot be written as JSON/],
    [{}, /<object>: the document is not valid/],
  ])('is refused with a message if it is %o', async (document, message) => {
    expect(await wrong(attack(document as string, { agent: careful }))).toMatch(message);
  });
});

describe('a selection for attackAll that selects nothing', () => {
  test.each<[unknown, RegExp]>([
    [null, /no document is given/],
    [undefined, /no document is given/],
    [3, /number is not a document/],
    ['', /names no document/],
    [[], /no document is selected/],
    [[''], /names no document/],
    [[null], /null is not a document/],
    [{ documents: [] }, /^documents: /],
    [{ documents: '' }, /names no document/],
    [{ documents: [3] }, /^documents: /],
    [{ documents: null }, /^documents: /],
    [{ tag: [] }, /^tag: /],
    [{ mode: [] }, /^mode: /],
    [{ severity: 3 }, /^severity: /],
  ])('is refused instead of taken for everything: %j', async (selection, message) => {
    expect(await wrong(attackAll(selection as Selection, { agent: careful }))).toMatch(message);
  });
});

describe('the `out` folder of attack', () => {
  test('is refused if it is a file or below one', async () => {
    expect(await wrong(attack('OATS-001', { agent: careful, out: file }))).toMatch(/^out: .*a-file: exists already/);
    expect(await wrong(attack('OATS-001', { agent: careful, out: join(file, 'x') }))).toMatch(/^out: /);
  });

  test.runIf(existsSync('/proc/self'))('is refused where no folder can be made', async () => {
    expect(await wrong(attack('OATS-001', { agent: careful, out: '/proc/nope/deeper' }))).toMatch(/^out: /);
  });
});
