import { describe, expect, test } from 'vitest';
import { createA2aProjector } from '../../../src/attack/bindings/a2a/a2a-projector.ts';
import { projectParsedJson } from '../../../src/attack/bindings/parsed-json-view.ts';
import { createStreams, longestWhole } from '../../../src/attack/bindings/streams.ts';
import type { Projection } from '../../../src/format/model/binding-views.ts';
import type { MessageRecord, Value, ValueMap } from '../../../src/index.ts';
import { message } from '../../support/records.ts';

// Messages in the shapes that documents target, and texts that are put together from their parts.

type Fields = Partial<MessageRecord>;
const last = message({});

describe('createStreams', () => {
  const shown = (wholes: readonly { info: string; text: string; parts: number; isCut: boolean }[]) =>
    wholes.map(({ info, text, parts, isCut }) => [info, text.length > 20 ? text.length : text, parts, isCut]);

  test('gives a text once, and again when more of it has come', () => {
    const streams = createStreams<string>();
    expect([streams.peek('a') !== undefined, streams.open('a', 'i'), streams.peek('a') !== undefined]).toEqual([
      false,
      [],
      true,
    ]);
    expect(shown(streams.end('a'))).toEqual([]);
    expect(streams.append('a', 'one ', last)).toEqual([]);
    expect(shown(streams.end('a'))).toEqual([['i', 'one ', 1, false]]);
    expect(shown(streams.end('a'))).toEqual([]);
    streams.open('a', 'other');
    streams.append('a', 'two', last);
    expect(shown(streams.end('a', 'forget'))).toEqual([['i', 'one two', 2, false]]);
    expect([streams.peek('a') !== undefined, streams.append('a', 'x', last), streams.end('a')]).toEqual([
      false,
      [],
      [],
    ]);
  });

  test('gives no empty text', () => {
    const streams = createStreams<string>();
    streams.open('a', 'i');
    streams.append('a', '', last);
    expect(streams.endAll()).toEqual([]);
  });

  test('gives all open texts at the end', () => {
    const streams = createStreams<string>();
    for (const key of ['a', 'b', 'c']) streams.open(key, key);
    streams.append('b', 'x', last);
    streams.append('c', 'y', last);
    expect(shown(streams.endAll())).toEqual([
      ['b', 'x', 1, false],
      ['c', 'y', 1, false],
    ]);
    expect([streams.peek('a') !== undefined, streams.endAll()]).toEqual([false, []]);
  });

  test('gives a very long text in overlapping parts', () => {
    const streams = createStreams<string>();
    streams.open('a', 'i');
    expect(streams.append('a', 'x'.repeat(longestWhole - 1), last)).toEqual([]);
    expect(shown(streams.append('a', 'y', last))).toEqual([['i', longestWhole, 2, true]]);
    streams.append('a', 'z', last);
    expect(shown(streams.end('a'))).toEqual([['i', 4 * 1024 + 1, 3, true]]);
  });

  test('gives out the oldest text when more than 1 000 are open', () => {
    const streams = createStreams<string>();
    for (let index = 0; index < 1_000; index += 1) streams.open(`k${index}`, `i${index}`);
    streams.append('k0', 'x', last);
    expect(shown(streams.open('one more', 'i'))).toEqual([['i0', 'x', 1, false]]);
    expect([streams.peek('k0') !== undefined, streams.peek('k1') !== undefined]).toEqual([false, true]);
  });

  test('gives out the oldest text when too many characters are held', () => {
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

  test('no longer counts text that was cut or given at the end', () => {
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

describe('projectParsedJson', () => {
  test.each<[Fields, ValueMap | undefined]>([
    [{ content: { a: '{"x":1}', b: 'plain', c: 5 } }, { a: { x: 1 }, b: 'plain', c: 5 }],
    [{ content: { a: '{"x":1}', b: '[2]' } }, { a: { x: 1 }, b: [2] }],
    [{ content: { a: 'plain' } }, undefined],
    [{ content: { a: '{"x":1}' }, origin: 'attacker' }, undefined],
    [{ content: ['{"x":1}'] }, undefined],
    [{ content: null }, undefined],
  ])('reads JSON in the strings of %j', (fields, content) => {
    const record = message(fields);
    expect(projectParsedJson(record)).toEqual(
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

describe('createA2aProjector', () => {
  const place = { actor: 'peer', protocol: 'a2a', mode: 'a2a_server' } as const;
  const shown = (views: readonly Projection[]) => views.map(({ path, content, own }) => [path, content, own ?? false]);
  function views(...records: readonly Fields[]) {
    const projector = createA2aProjector();
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
    ['projects a message with text', [send], [task, args]],
    ['projects a streamed message', [{ ...send, method: 'message/stream' }], [task, args]],
    [
      'projects a message without text as arguments only',
      [{ ...send, content: { message: { parts: [] } } }],
      [['arguments', { arguments: { parts: [] } }, false]],
    ],
    [
      'projects a message with malformed parts as arguments only',
      [{ ...send, content: { message: { parts: 'odd' } } }],
      [['arguments', { arguments: { parts: 'odd' } }, false]],
    ],
    ['projects nothing for a request without a message', [{ ...send, content: {} }], []],
    ['projects nothing for null content', [{ ...send, content: null }], []],
    ['projects nothing for a response to message/send', [{ ...send, kind: 'response' }], []],
    ['projects nothing for another operation', [{ ...send, method: 'tasks/list' }], []],
    [
      'marks the projections of our own message',
      [{ ...send, origin: 'attacker' }],
      [
        [task[0], task[1], true],
        [args[0], args[1], true],
      ],
    ],
    [
      'adds the names of a card that was sent before',
      [card({ name: 'shop', skills: [{ id: 'buy' }, {}, 'odd', { id: 'sell' }] }), send],
      [task, named('shop'), named('buy'), named('sell'), args],
    ],
    [
      'adds the name of an extended card',
      [card({ name: 'shop' }, { method: 'agent/getAuthenticatedExtendedCard' }), send],
      [task, named('shop'), args],
    ],
    ['adds no name for a card without one', [card({ skills: 'odd' }), send], [task, args]],
    ['adds no name after a request for a card', [card({ name: 'shop' }, { kind: 'request' }), send], [task, args]],
    ['adds no name for a card that is null', [card(null), send], [task, args]],
    ['adds no name of another actor’s card', [card({ name: 'shop' }, { actor: 'other' }), send], [task, args]],
    [
      'adds no name from the answer to another method',
      [card({ name: 'shop' }, { method: 'tasks/list' }), send],
      [task, args],
    ],
    [
      'adds at most fifty skill names',
      [card({ skills: Array.from({ length: 51 }, (_, id) => ({ id: `s${id}` })) }), send],
      [task, ...Array.from({ length: 50 }, (_, id) => named(`s${id}`)), args],
    ],
    ['projects the wire form', [{ ...send, content: {}, wire: { x: 1 } }], [['as on the wire', { x: 1 }, false]]],
    ['projects no wire form that is a string', [{ ...send, content: {}, wire: 'odd' }], []],
  ])('%s', (_, records, expected) => {
    expect(views(...records).last).toEqual(expected);
  });

  const client = { mode: 'a2a_client', method: 'tasks/get' } as const;
  const poll: Fields = { ...client, origin: 'attacker', id: 'q', session: 's' };
  const answer: Fields = { ...client, kind: 'response', id: 'q', session: 's', content: { id: 't' } };
  const later = [['task asked for later', { id: 't' }, false]];
  test.each<[string, readonly Fields[], unknown]>([
    ['projects the answer to our poll for a task', [poll, answer], later],
    ['projects the answer to a poll only once', [poll, answer, answer], []],
    ['does not project the answer to a poll of the document', [{ ...poll, pieces: ['/actions/0'] }, answer], []],
    ['does not project the answer to a poll of the agent', [{ ...poll, origin: 'agent' }, answer], []],
    ['does not project an answer with another id', [poll, { ...answer, id: 'r' }], []],
    ['does not project an answer of another session', [poll, { ...answer, session: 'r' }], []],
    ['does not project an answer of another actor', [poll, { ...answer, actor: 'other' }], []],
    ['does not project an event as an answer', [poll, { ...answer, kind: 'event' }], []],
    ['does not project an answer that is a string', [poll, { ...answer, content: 'odd' }], []],
    [
      'projects the answer to a poll without ids',
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
    ['joins no artifact that came in one part', [update('a')], [], []],
    ['joins two parts of an artifact at the end', [update('a'), update('b', append)], [], [joined('ab')]],
    [
      'joins two parts of an artifact at the last chunk',
      [update('a'), update('b', { ...append, lastChunk: true })],
      [joined('ab')],
      [],
    ],
    [
      'joins two parts when the artifact begins again',
      [update('a'), update('b', append), update('c')],
      [joined('ab')],
      [],
    ],
    ['keeps another artifact apart', [update('a'), update('b', append, 'other')], [], []],
    ['keeps another task apart', [update('a'), update('b', { ...append, taskId: 'u' })], [], []],
    ['keeps another actor apart', [update('a'), { ...update('b', append), actor: 'other' }], [], []],
    ['keeps another session apart', [update('a'), { ...update('b', append), session: 'other' }], [], []],
    ['keeps another method apart', [update('a'), { ...update('b', append), method: 'message/stream' }], [], []],
    [
      'ignores malformed artifact updates',
      [update('a'), { ...update('b', append), content: { artifact: 'odd' } }, { ...update('b'), content: null }],
      [],
      [],
    ],
    ['ignores our own artifact updates', [update('a'), { ...update('b', append), origin: 'attacker' }], [], []],
  ])('%s', (_, records, now, end) => {
    const { last: found, end: rest } = views(...records);
    expect([found, rest]).toEqual([now, end]);
  });

  test('counts the answer to a poll as one to the message that began the task', () => {
    const projector = createA2aProjector();
    projector.add(message({ ...place, ...poll }));
    const record = message({ ...place, ...answer });
    expect(projector.add(record).map(({ stream }) => stream)).toEqual([
      { last: record, surfaces: ['message/send', 'message/stream'], isWhole: false },
    ]);
  });

  test('counts the wire form under the same operation', () => {
    const record = message({ ...place, ...send, content: {}, wire: { x: 1 } });
    expect(
      createA2aProjector()
        .add(record)
        .map(({ stream }) => stream),
    ).toEqual([{ last: record, surfaces: ['message/send'], isWhole: true, isRespelt: true }]);
  });

  test('counts a joined artifact under its operation', () => {
    const projector = createA2aProjector();
    projector.add(message({ ...place, ...update('a') }));
    const record = message({ ...place, ...update('b', { ...append, lastChunk: true }) });
    const [view] = projector.add(record);
    expect([view?.record, view?.direction]).toEqual([record.seq, 'response']);
    expect(view?.stream).toStrictEqual({ last: record, surfaces: ['task/artifact'], isWhole: true });
  });
});
