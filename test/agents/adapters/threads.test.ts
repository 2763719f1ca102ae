import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/agents/adapters/conversation/chat-message.ts';
import { Thread, Threads } from '../../../src/agents/adapters/conversation/threads.ts';

const user = (content: string, id?: string) => ({ id, message: { role: 'user', content } as ChatMessage });
const assistant = (content: string, id?: string) => ({
  id,
  message: { role: 'assistant', content } as ChatMessage,
});
const calling = {
  id: undefined,
  message: {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c1', name: 'f', arguments: {} }],
  } as ChatMessage,
};
const result = { id: undefined, message: { role: 'tool', toolCallId: 'c1', content: 'r' } as ChatMessage };

type Submitted = ReturnType<typeof user>;
const rows: readonly [string, readonly (readonly Submitted[])[], string][] = [
  ['adds new messages', [[user('a')], [user('b')]], 'a b'],
  [
    'recognises messages by their ids',
    [[user('a', '1')], [user('a', '1'), assistant('b', '2'), user('c', '3')]],
    'a b c',
  ],
  ['adds the same words under another id', [[user('a', '1')], [user('a', '2')]], 'a a'],
  [
    'recognises the history without ids',
    [
      [user('a'), assistant('b')],
      [user('a'), assistant('b'), user('c')],
    ],
    'a b c',
  ],
  ['adds the same words of a user again when they have no id', [[user('a')], [user('a')]], 'a a'],
  ['adds an invented history', [[user('a')], [assistant('x'), user('b')]], 'a x b'],
  [
    'recognises tool calls and results',
    [
      [user('a'), calling, result],
      [user('a'), calling, result, user('b')],
    ],
    'a  r b',
  ],
];

test.each(rows)('Thread.merge: %s', (_, runs, expected) => {
  const thread = new Thread();
  for (const run of runs) {
    thread.merge(run);
    thread.know('c1');
  }
  expect(thread.messages.map(({ content }) => content).join(' ')).toBe(expected);
});

test('Thread.add: keeps at most 10 000 messages and 32 MB of text', () => {
  const thread = new Thread();
  for (let count = 0; count < 11_000; count++) thread.add({ role: 'user', content: `${count}` });
  expect(thread.messages.length).toBe(10_000);
  const megabytes = 'x'.repeat(16 * 1024 * 1024);
  for (let count = 0; count < 5; count++) thread.add({ role: 'user', content: megabytes });
  expect(thread.messages.length).toBe(2);
});

test('Thread.merge: adds a message whose known id says something else', () => {
  const thread = new Thread();
  const submitted = (content: string) => [{ id: 'm1', message: { role: 'user' as const, content } }];
  thread.merge(submitted('one'));
  thread.merge(submitted('one'));
  thread.merge(submitted('two'));
  expect(thread.messages.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('Threads.get: forgets the thread that was unused longest', () => {
  const threads = new Threads();
  const first = threads.get('first');
  const second = threads.get('second');
  for (let count = 0; count < 62; count++) threads.get(`t${count}`);
  expect(threads.get('first')).toBe(first);
  threads.get('one more');
  expect(threads.get('first')).toBe(first);
  expect(threads.get('second')).not.toBe(second);
});

test('Thread.inTurn: runs one task after the other, also after a failure', async () => {
  const thread = new Thread();
  const order: string[] = [];
  let go: () => void = () => {};
  const first = thread.inTurn(async () => {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    order.push('first');
    throw new Error('failed');
  });
  const second = thread.inTurn(async () => void order.push('second'));
  await Promise.resolve();
  go();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(order).toEqual(['first', 'second']);
});
