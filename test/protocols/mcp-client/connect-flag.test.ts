import { describe, expect, test } from 'vitest';
import { splitCommand } from '../../../src/agents/adapters/split-command.ts';
import { readConnect } from '../../../src/cli/run/addresses/connect.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { documentWith } from '../../support/records.ts';

describe('splitCommand', () => {
  test.each<[string, readonly string[]]>([
    ['npx my-server --flag', ['npx', 'my-server', '--flag']],
    ['  spaced   out\t', ['spaced', 'out']],
    [`say 'two words' "and 'three' of them"`, ['say', 'two words', "and 'three' of them"]],
    [`a"b c"'d e'f`, ['ab cd ef']],
    [String.raw`say "a \"b\" \\ \n" c\ d`, ['say', String.raw`a "b" \ \n`, 'c d']],
    [`empty '' ""`, ['empty', '', '']],
    ['keep $HOME and * and ~', ['keep', '$HOME', 'and', '*', 'and', '~']],
    [`sh -c 'a | b > c; d'`, ['sh', '-c', 'a | b > c; d']],
    ['', []],
  ])('splits %s into words', (text, words) => {
    expect(splitCommand(text)).toEqual({ ok: true, words });
  });
  test.each(['a | b', 'a && b', 'a; b', 'a > b', 'a < b', `a 'b`, 'a "b'])('refuses %s', (text) => {
    expect(splitCommand(text).ok).toBe(false);
  });
});

const state = { actions: [{ method: 'tools/list' }] };
const one = documentWith({ execution: { mode: 'mcp_client', state } });
const two = documentWith({
  execution: {
    actors: [
      { name: 'a', mode: 'mcp_client', phases: [{ state }] },
      { name: 'b_2', mode: 'mcp_client', phases: [{ state }] },
      { name: 'user', mode: 'ag_ui_client', phases: [{ state: { run_agent_input: {} } }] },
      { name: 'shop', mode: 'mcp_server', phases: [{ state: {} }] },
    ],
  },
});
const url = 'http://127.0.0.1:8000/mcp';

function read(
  document: NormalizedDocument,
  connect: readonly string[],
  header: readonly string[] = [],
  environment: Record<string, string> = {},
) {
  const said = readConnect({ connect, header }, [document], environment);
  if ('message' in said) return said.message;
  const actors = document.attack.execution.actors as readonly NormalizedActor[];
  return Object.fromEntries(
    actors.flatMap((actor) => {
      const target = said(actor);
      return target === undefined ? [] : [[actor.name, target]];
    }),
  );
}

describe('--connect', () => {
  test.each<[string, NormalizedDocument, string[], object]>([
    ['a URL', one, [url], { default: { url, headers: {} } }],
    [
      'a program',
      one,
      ['command:npx -y "my server"'],
      { default: { command: 'npx', args: ['-y', 'my server'], env: {} } },
    ],
    [
      'a program with environment variables',
      one,
      ['default=command:A=1 B="2 3" run X=4'],
      { default: { command: 'run', args: ['X=4'], env: { A: '1', B: '2 3' } } },
    ],
    [
      'several peers, each for its actor',
      two,
      [`a=${url}`, 'b_2=command:run'],
      { a: { url, headers: {} }, b_2: { command: 'run', args: [], env: {} } },
    ],
  ])('accepts %s', (_what, document, typed, expected) => {
    expect(read(document, typed)).toEqual(expected);
  });
  test.each<[string, NormalizedDocument, string[], string]>([
    [
      'text that is neither a URL nor a program',
      one,
      ['npx my-server'],
      'neither [ACTOR=]URL nor [ACTOR=]command:PROGRAM',
    ],
    ['a URL of another scheme', one, ['ftp://x.example/'], 'neither'],
    ['a command without a program', one, ['command:A=1'], 'there is no program in it'],
    ['a command that needs a shell', one, ['command:a | b'], 'needs a shell, and none is used'],
    ['a program for an AG-UI actor', two, ['user=command:run'], 'speaks to a URL'],
    ['a peer for a server actor', two, [`shop=${url}`], 'does not connect'],
    ['a peer without an actor where several could be meant', two, [url], '3 actors could be meant'],
  ])('refuses %s', (_what, document, typed, problem) => {
    expect(read(document, typed)).toContain(problem);
  });
});

describe('--header and OATF_BEARER', () => {
  test.each<[string, NormalizedDocument, string[], string[], Record<string, string>, object]>([
    ['send a header', one, [url], ['X-Key: a=b:c '], {}, { 'x-key': 'a=b:c' }],
    ['send a header for one actor', two, [`a=${url}`], ['a=X-Key:1'], {}, { 'x-key': '1' }],
    ['send a bearer token', one, [url], [], { OATF_BEARER: 't' }, { authorization: 'Bearer t' }],
    [
      'send the token of an actor in place of the general one',
      two,
      [`b_2=${url}`],
      [],
      { OATF_BEARER: 't', OATF_BEARER_B_2: 'u' },
      { authorization: 'Bearer u' },
    ],
    [
      'send a header in place of the token',
      one,
      [url],
      ['Authorization: Basic x'],
      { OATF_BEARER: 't' },
      { authorization: 'Basic x' },
    ],
  ])('%s', (_what, document, connect, header, environment, headers) => {
    const [target] = Object.values(read(document, connect, header, environment));
    expect(target).toEqual({ url, headers });
  });
  test('give no token to a program', () => {
    expect(read(one, ['command:run'], [], { OATF_BEARER: 't' })).toEqual({
      default: { command: 'run', args: [], env: {} },
    });
  });
  test.each<[string, NormalizedDocument, string[], string[], string]>([
    ['a header without a colon', one, [url], ['X-Key'], 'this is not [ACTOR=]NAME:VALUE'],
    ['a header with a line break', one, [url], ['X-Key: a\nb'], 'this is not'],
    ['a header if no actor is connected', one, [], ['X-Key: 1'], 'no actor is connected to a URL'],
    [
      'a header if the actor is connected to a program',
      one,
      ['command:run'],
      ['X-Key: 1'],
      'no actor is connected to a URL',
    ],
    ['a header without an actor if two are connected', two, [`a=${url}`, `b_2=${url}`], ['X-Key: 1'], 'several actors'],
    ['a header for an actor that is not connected', two, [`a=${url}`], ['b_2=X-Key: 1'], 'no --connect names "b_2"'],
  ])('refuse %s', (_what, document, connect, header, problem) => {
    expect(read(document, connect, header)).toContain(problem);
  });
  test('do not repeat a wrong value in the message', () => {
    expect(read(one, [], ['X-Key: hush-hush'])).not.toContain('hush');
  });
});
