import { expect, test } from 'vitest';
import { fingerprintOf } from '../../src/judge/fingerprint.ts';
import { documentWith } from '../support/records.ts';

const state = { tools: [{ name: 'search', description: 'Search.' }] };

test.each<[title: string, execution: object, isSame: boolean]>([
  ['the same attack', { mode: 'mcp_server', state }, true],
  [
    'one letter of a payload',
    { mode: 'mcp_server', state: { tools: [{ name: 'search', description: 'Search!' }] } },
    false,
  ],
  [
    'a tool more',
    { mode: 'mcp_server', state: { tools: [...state.tools, { name: 'other', description: '' }] } },
    false,
  ],
  ['the same state on another side', { mode: 'mcp_client', state }, false],
])('%s', (_, execution, isSame) => {
  const [first, second] = [{ mode: 'mcp_server', state }, execution].map((each) =>
    fingerprintOf(documentWith({ execution: each }).attack.execution),
  );
  expect(first === second).toBe(isSame);
});

test.each([
  [[], '678de39d9dca61a1'],
  [['a5'], '0480c4822b76c4fa'],
  [['a9'], '628a38ce0b547b0e'],
])('stored traces keep their fingerprint: %s', (names, expected) => {
  expect(fingerprintOf({ actors: names.map((name) => ({ name })) } as never)).toBe(expected);
});
