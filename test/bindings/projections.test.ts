import { describe, expect, test } from 'vitest';
import { a2aProjector } from '../../src/bindings/a2a/projector.ts';
import { createStreams, longestWhole } from '../../src/bindings/streams.ts';
import { unfoldedView } from '../../src/bindings/unfolded-view.ts';
import type { MessageRecord, Value, ValueMap } from '../../src/index.ts';
import type { Projection } from '../../src/model/views.ts';
import { message } from '../support/records.ts';

// Messages in the shapes that documents target, and texts that are put together from their parts.

type Fields = Partial<MessageRecord>;
const last = message({});

describe('a text that comes in parts', () => {
  const shown = (wholes: readonly { info: string; text: string; parts: number; isCut: boolean }[]) =>
    wholes.map(({ info, text, parts, isCut }) => [info, text.length > 20 ? text.length : text, parts, isCut]);

  test('is given once, and again when more has come', () => {
    const streams = createStreams<string>();
    expect([streams.has('a'), streams.open('a', 'i'), streams.has('a')]).toEqual([false, [], true]);
    expect(shown(streams.end('a'))).toEqual([]);
    expect(streams.append('a', 'one ', last)).toEqual([]);
    expect(shown(streams.end('a'))).toEqual([['i', 'one ', 1, false]]);
    expect(shown(streams.end('a'))).toEqual([]);
    streams.open('a', 'other');
    streams.append('a', 'two', last);
    expect(shown(streams.end('a', 'forget'))).toEqual([['i', 'one two', 2, false]]);
    expect([streams.has('a'), streams.append('a', 'x', last), streams.end('a')]).toEqual([false, [], []]);
  });

  test('is not given while it is empty', () => {
    const streams = createStreams<string>();
    streams.open('a', 'i');
    streams.append('a', '', last);
    expect(streams.endAll()).toEqual([]);
  });

  test('all that is open at the end', () => {
    const streams = createStreams<string>();
    for (const key of ['a', 'b', 'c']) streams.open(key, key);
    streams.append('b', 'x', last);
    streams.append('c', 'y', last);
    expect(shown(streams.endAll())).toEqual([
      ['b', 'x', 1, false],
      ['c', 'y', 1, false],
    ]);
    expect([streams.has('a'), streams.endAll()]).toEqual([false, []]);
  });

  test('a text that is too long is given in parts that overlap', () => {
    const streams = createStreams<string>();
    streams.open('a', 'i');
    expect(streams.append('a', 'x'.repeat(longestWhole - 1), last)).toEqual([]);
    expect(shown(streams.append('a', 'y', last))).toEqual([['i', longestWhole, 2, true]]);
    streams.append('a', 'z', last);
    expect(shown(streams.end('a'))).toEqual([['i', 4 * 1024 + 1, 3, true]]);
  });

  test('of too many that are open, the oldest is given', () => {
    const streams = createStreams<string>();
    for (let index = 0; index < 1_000; index += 1) streams.open(`k${index}`, `i${index}`);
    streams.append('k0', 'x', last);
    expect(shown(streams.open('one more', 'i'))).toEqual([['i0', 'x', 1, false]]);
    expect([streams.has('k0'), streams.has('k1')]).toEqual([false, true]);
  });

  test('of too much that is held, the oldest is given', () => {
    const streams = createStreams<string>();
    const most = 'x'.repeat(longestWhole - 1);
    for (let index = 0; index < 8; index += 1) {
      streams.open(`k${index}`, `i${index}`);
      expect(streams.append(`k${index}`, most, last)).toEqual([]);
    }
    streams.open('more', 'more');
    expect(streams.append('more', 'x'.repeat(8), last)).toEqual([]);
    expect(shown(streams.append('more', 'y', last))).toEqual([['i0', longestWhole - 1, 1, false]]);
    expect(streams.append('more', 'z', last)).toEqual([]);
    streams.end('k1', 'forget');
    streams.open('again', 'again');
    expect(streams.append('again', most, last)).toEqual([]);
  });

  test('what was cut or given at the end is not held any more', () => {
    const streams = createStreams<string>();
    for (let index = 0; index < 20; index += 1) {
      streams.open('a', 'i');
      expect(streams.append('a', 'x'.repeat(longestWhole), last)).toHaveLength(1);
    }
    streams.endAll();
    const most = 'x'.repeat(longestWhole - 1);
    for (let index = 0; index < 8; index += 1) {
      streams.open(`k${index}`, 'i');
      expect(streams.append(`k${index}`, most, last)).toEqual([]);
    }
  });
});

describe('JSON in texts', () => {
  test.each<[Fields, ValueMap | undefined]>([
    [{ content: { a: '{"x":1}', b: 'plain', c: 5 } }, { a: { x: 1 }, b: 'plain', c: 5 }],
    [{ content: { a: '{"x":1}', b: '[2]' } }, { a: { x: 1 }, b: [2] }],
    [{ content: { a: 'plain' } }, undefined],
    [{ content: { a: '{"x":1}' }, origin: 'attacker' }, undefined],
    [{ content: ['{"x":1}'] }, undefined],
    [{ content: null }, undefined],
  ])('%j', (fields, content) => {
    const record = message(fields);
    expect(unfoldedView(record)).toEqual(
      content === undefined
        ? []
        : [
            {
              path: 'text read as JSON',
              content,
              record: record.seq,
              protocol: 'mcp',
              direction: 'request',
              stream: { last: record, surfaces: ['tools/call'], isWhole: true },
            },
          ],
    );
  });
});

describe('A2A', () => {
  const place = { actor: 'peer', protocol: 'a2a', mode: 'a2a_server' } as const;
  const shown = (views: readonly Projection[]) =>
    views.map(({ path, content, own }) => [path, content, own ?? false]);
  function views(...records: readonly Fields[]) {
    const projector = a2aProjector();
    const found = records.map((fields) => shown(projector.add(message({ ...place, ...fields }))));
    return { found, last: found.at(-1), end: shown(projector.finish()) };
  }
  const sent = { parts: [{ kind: 'text', text: 'a' }, { kind: 'data' }, 'odd', { text: 'b' }] };
  const send: Fields = { method: 'message/send', content: { message: sent } };
  const card = (content: Value, fields: Fields = {}): Fields => ({
    method: 'agent_card/get',
    kind: 'response',
    origin: 'attacker',
    content,
    ...fields,
  });
  const task = ['a2a.task.message', { a2a: { task: { message: 'a\nb' } } }, false];
  const args = ['arguments', { arguments: sent }, false];
  const named = (name: string) => ['name', { name }, false];

  test.each<[string, readonly Fields[], unknown]>([
    ['a message', [send], [task, args]],
    ['a streamed one', [{ ...send, method: 'message/stream' }], [task, args]],
    [
      'one without text',
      [{ ...send, content: { message: { parts: [] } } }],
      [['arguments', { arguments: { parts: [] } }, false]],
    ],
    [
      'one whose parts are none',
      [{ ...send, content: { message: { parts: 'odd' } } }],
      [['arguments', { arguments: { parts: 'odd' } }, false]],
    ],
    ['none at all', [{ ...send, content: {} }], []],
    ['no content', [{ ...send, content: null }], []],
    ['an answer', [{ ...send, kind: 'response' }], []],
    ['another operation', [{ ...send, method: 'tasks/list' }], []],
    [
      'our own',
      [{ ...send, origin: 'attacker' }],
      [
        [task[0], task[1], true],
        [args[0], args[1], true],
      ],
    ],
    [
      'after a card',
      [card({ name: 'shop', skills: [{ id: 'buy' }, {}, 'odd', { id: 'sell' }] }), send],
      [task, named('shop'), named('buy'), named('sell'), args],
    ],
    [
      'after an extended card',
      [card({ name: 'shop' }, { method: 'agent/getAuthenticatedExtendedCard' }), send],
      [task, named('shop'), args],
    ],
    ['after a card without a name', [card({ skills: 'odd' }), send], [task, args]],
    ['after the request for a card', [card({ name: 'shop' }, { kind: 'request' }), send], [task, args]],
    ['after a card that is none', [card(null), send], [task, args]],
    ['after the card of another', [card({ name: 'shop' }, { actor: 'other' }), send], [task, args]],
    ['after another answer', [card({ name: 'shop' }, { method: 'tasks/list' }), send], [task, args]],
    [
      'of a card with many skills, fifty',
      [card({ skills: Array.from({ length: 51 }, (_, id) => ({ id: `s${id}` })) }), send],
      [task, ...Array.from({ length: 50 }, (_, id) => named(`s${id}`)), args],
    ],
    [
      'what it was on the wire',
      [{ ...send, content: {}, wire: { x: 1 } }],
      [['as on the wire', { x: 1 }, false]],
    ],
    ['what it was on the wire, if it was a mapping', [{ ...send, content: {}, wire: 'odd' }], []],
  ])('%s', (_, records, expected) => {
    expect(views(...records).last).toEqual(expected);
  });

  const client = { mode: 'a2a_client', method: 'tasks/get' } as const;
  const poll: Fields = { ...client, origin: 'attacker', id: 'q', session: 's' };
  const answer: Fields = { ...client, kind: 'response', id: 'q', session: 's', content: { id: 't' } };
  const later = [['task asked for later', { id: 't' }, false]];
  test.each<[string, readonly Fields[], unknown]>([
    ['a poll of ours', [poll, answer], later],
    ['it is answered once', [poll, answer, answer], []],
    ['one that the document orders', [{ ...poll, pieces: ['/actions/0'] }, answer], []],
    ['one of the agent', [{ ...poll, origin: 'agent' }, answer], []],
    ['another id', [poll, { ...answer, id: 'r' }], []],
    ['another session', [poll, { ...answer, session: 'r' }], []],
    ['another actor', [poll, { ...answer, actor: 'other' }], []],
    ['no answer', [poll, { ...answer, kind: 'event' }], []],
    ['an answer that is none', [poll, { ...answer, content: 'odd' }], []],
    [
      'without ids',
      [
        { ...client, origin: 'attacker' },
        { ...client, kind: 'response', content: { id: 't' } },
      ],
      later,
    ],
  ])('%s', (_, records, expected) => {
    expect(views(...records).last).toEqual(expected);
  });

  const update = (text: string, more: ValueMap = {}, artifactId: Value = 'a'): Fields => ({
    mode: 'a2a_client',
    kind: 'event',
    method: 'task/artifact',
    content: { taskId: 't', artifact: { artifactId, parts: [{ text }] }, ...more },
  });
  const append = { append: true };
  const joined = (text: string, first: ValueMap = {}) => [
    'joined stream',
    { taskId: 't', ...first, artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] } },
    false,
  ];
  test.each<[string, readonly Fields[], readonly unknown[], readonly unknown[]]>([
    ['one part is whole', [update('a')], [], []],
    ['two parts, at the end', [update('a'), update('b', append)], [], [joined('ab')]],
    [
      'two parts, at the last',
      [update('a'), update('b', { ...append, lastChunk: true })],
      [joined('ab')],
      [],
    ],
    ['another that begins', [update('a'), update('b', append), update('c')], [joined('ab')], []],
    ['another artifact', [update('a'), update('b', append, 'other')], [], []],
    ['another task', [update('a'), update('b', { ...append, taskId: 'u' })], [], []],
    ['another actor', [update('a'), { ...update('b', append), actor: 'other' }], [], []],
    ['another session', [update('a'), { ...update('b', append), session: 'other' }], [], []],
    ['another name', [update('a'), { ...update('b', append), method: 'message/stream' }], [], []],
    [
      'what is no update',
      [
        update('a'),
        { ...update('b', append), content: { artifact: 'odd' } },
        { ...update('b'), content: null },
      ],
      [],
      [],
    ],
    ['our own', [update('a'), { ...update('b', append), origin: 'attacker' }], [], []],
  ])('%s', (_, records, now, end) => {
    const { last: found, end: rest } = views(...records);
    expect([found, rest]).toEqual([now, end]);
  });

  test('the answer to a poll counts as one to the message that began the task', () => {
    const projector = a2aProjector();
    projector.add(message({ ...place, ...poll }));
    const record = message({ ...place, ...answer });
    expect(projector.add(record).map(({ stream }) => stream)).toEqual([
      { last: record, surfaces: ['message/send', 'message/stream'], isWhole: false },
    ]);
  });

  test('what was on the wire counts under the same operation', () => {
    const record = message({ ...place, ...send, content: {}, wire: { x: 1 } });
    expect(
      a2aProjector()
        .add(record)
        .map(({ stream }) => stream),
    ).toEqual([{ last: record, surfaces: ['message/send'], isWhole: true, isRespelt: true }]);
  });

  test('a joined stream counts under its operation', () => {
    const projector = a2aProjector();
    projector.add(message({ ...place, ...update('a') }));
    const record = message({ ...place, ...update('b', { ...append, lastChunk: true }) });
    const [view] = projector.add(record);
    expect([view?.record, view?.direction]).toEqual([record.seq, 'response']);
    expect(view?.stream).toStrictEqual({ last: record, surfaces: ['task/artifact'], isWhole: true });
  });
});
