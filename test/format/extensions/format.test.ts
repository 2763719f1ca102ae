import { expect, test } from 'vitest';
import { formatDocument } from '../../../src/format/document/format.ts';

const text = (payload: string) => `oatf: "0.1"
attack:
  x-first: 1
  x-payload:
${payload}
  x-last: 1
  execution:
    mode: mcp_server
    state:
      tools: []
`;

test.each([
  [
    'puts the keys of a mark in order but leaves its benign value as it is',
    '    - {needed: false, benign: {b: 1, at: 2}, at: /state, phase: a, actor: b}',
    `    - actor: b
      phase: a
      at: /state
      benign:
        b: 1
        at: 2
      needed: false`,
  ],
  [
    'moves a comment together with its mark',
    '    # First.\n    - benign: a # here\n      at: /state',
    '    # First.\n    - at: /state\n      benign: a # here',
  ],
  ['leaves an x-payload that is no list of marks as it is', '    b: 1\n    a: 2', '    b: 1\n    a: 2'],
])('format %s', (_, payload, expected) => {
  const formatted = formatDocument(text(payload));
  expect(formatted.ok && formatted.text).toBe(`oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools: []
  x-first: 1
  x-payload:
${expected}
  x-last: 1
`);
});
