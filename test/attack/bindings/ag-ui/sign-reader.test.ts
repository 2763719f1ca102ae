import { expect, test } from 'vitest';
import { createAgUiActivityReader } from '../../../../src/attack/bindings/ag-ui/ag-ui-activity.ts';
import type { MessageRecord, ValueMap } from '../../../../src/index.ts';

// Words under another's role are no answer of the agent, however many messages lie between.

const event = (method: string, content: ValueMap): MessageRecord => ({
  seq: 0,
  timestamp: '',
  actor: 'user',
  protocol: 'ag_ui',
  mode: 'ag_ui_client',
  kind: 'event',
  origin: 'agent',
  method,
  content,
});

const start = (messageId: string, role: string) => event('text_message_start', { messageId, role });
const words = (messageId: string) => event('text_message_content', { messageId, delta: 'Here you are.' });

test.each([
  ['assistant', 0, true],
  ['user', 0, undefined],
  ['developer', 0, undefined],
  ['user', 10_001, undefined],
])(
  'createAgUiActivityReader: reads text of role %s, %i messages after its start, with alive = %s',
  (role, between, alive) => {
    const read = createAgUiActivityReader();
    read(start('m', role));
    for (let index = 0; index < between; index++) read(start(`other-${index}`, 'user'));
    expect(read(words('m')).alive).toBe(alive);
  },
);

test('createAgUiActivityReader: reads text without a start as a sign of life', () => {
  expect(createAgUiActivityReader()(words('m')).alive).toBe(true);
});
