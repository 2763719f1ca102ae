import { expect, test } from 'vitest';
import { createDescriber } from '../../../src/cli/trace/describe-record.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';

const plain = (text: string): string => text;
const colours = new Proxy({}, { get: () => plain });
const sink = { columns: 120, colours, write: async () => {} } as never;
const message = {
  seq: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
  actor: 'a',
  kind: 'request',
  method: 'tools/list',
  fromAgent: true,
  content: {},
};

test.each([
  [{}, /request +\{\}\n$/],
  [{ era: '2026-07-28' }, /request +2026-07-28 +\{\}\n$/],
])('createDescriber shows the era of a message, if it has one: %j', (era, line) => {
  const { message: describe } = createDescriber({ sink, full: false, redactor: createRedactor({}) });
  expect(describe({ ...message, ...era })).toMatch(line);
});
