import { expect, test } from 'vitest';
import type { ChatMessage } from '../../src/agent/conversation/chat-message.ts';
import { Thread, Threads } from '../../src/agent/conversation/threads.ts';

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
  ['new messages are added', [[user('a')], [user('b')]], 'a b'],
  ['ids are known again', [[user('a', '1')], [user('a', '1'), assistant('b', '2'), user('c', '3')]], 'a b c'],
  ['the same words under another id are new', [[user('a', '1')], [user('a', '2')]], 'a a'],
  [
    'the history is known again without ids',
    [
      [user('a'), assistant('b')],
      [user('a'), assistant('b'), user('c')],
    ],
    'a b c',
  ],
  ['a user may say the same again', [[user('a')], [user('a')]], 'a a'],
  ['a history that was made up is added', [[user('a')], [assistant('x'), user('b')]], 'a x b'],
  [
    'calls and results are known again',
    [
      [user('a'), calling, result],
      [user('a'), calling, result, user('b')],
    ],
    'a  r b',
  ],
];

test.each(rows)('%s', (_, runs, expected) => {
  const thread = new Thread();
  for (const run of runs) {
    thread.merge(run);
    thread.know('c1');
  }
  expect(thread.messages.map(({ content }) => content).join(' ')).toBe(expected);
});

test('a conversation is bounded', () => {
  const thread = new Thread();
  for (let count = 0; count < 11_000; count++) thread.add({ role: 'user', content: `${count}` });
  expect(thread.messages.length).toBe(10_000);
  const megabytes = 'x'.repeat(16 * 1024 * 1024);
  for (let count = 0; count < 5; count++) thread.add({ role: 'user', content: megabytes });
  expect(thread.messages.length).toBe(2);
});

test('something else under an old id is something new', () => {
  const thread = new Thread();
  const submitted = (content: string) => [{ id: 'm1', message: { role: 'user' as const, content } }];
  thread.merge(submitted('one'));
  thread.merge(submitted('one'));
  thread.merge(submitted('two'));
  expect(thread.messages.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('the thread that was silent longest is forgotten', () => {
  const threads = new Threads();
  const first = threads.get('first');
  const second = threads.get('second');
  for (let count = 0; count < 62; count++) threads.get(`t${count}`);
  expect(threads.get('first')).toBe(first);
  threads.get('one more');
  expect(threads.get('first')).toBe(first);
  expect(threads.get('second')).not.toBe(second);
});

test('runs of a thread follow one another', async () => {
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
