import { expect, test } from 'vitest';
import { format } from '../../src/document/format.ts';

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
    'the keys of marks are put in order, what is benign stays as it is',
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
    'a comment goes with its mark',
    '    # First.\n    - benign: a # here\n      at: /state',
    '    # First.\n    - at: /state\n      benign: a # here',
  ],
  ['something else under the key stays', '    b: 1\n    a: 2', '    b: 1\n    a: 2'],
])('%s', (_, payload, expected) => {
  const formatted = format(text(payload));
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
