import { expect, test } from 'vitest';
import { computeFingerprint } from '../../../src/judgement/judge/fingerprint.ts';
import { documentWith } from '../../support/records.ts';

const state = { tools: [{ name: 'search', description: 'Search.' }] };

test.each<[title: string, execution: object, isSame: boolean]>([
  ['is the same for the same attack', { mode: 'mcp_server', state }, true],
  [
    'differs if one letter of a payload differs',
    { mode: 'mcp_server', state: { tools: [{ name: 'search', description: 'Search!' }] } },
    false,
  ],
  [
    'differs if there is another tool',
    { mode: 'mcp_server', state: { tools: [...state.tools, { name: 'other', description: '' }] } },
    false,
  ],
  ['differs if the same state is on the client side', { mode: 'mcp_client', state }, false],
])('computeFingerprint an execution %s', (_, execution, isSame) => {
  const [first, second] = [{ mode: 'mcp_server', state }, execution].map((each) =>
    computeFingerprint(documentWith({ execution: each }).attack.execution),
  );
  expect(first === second).toBe(isSame);
});

test.each([
  [[], '678de39d9dca61a1'],
  [['a5'], '0480c4822b76c4fa'],
  [['a9'], '628a38ce0b547b0e'],
])('computeFingerprint never changes, because stored traces have it: %s', (names, expected) => {
  expect(computeFingerprint({ actors: names.map((name) => ({ name })) } as never)).toBe(expected);
});
