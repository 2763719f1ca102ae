import { describe, expect, test } from 'vitest';
import { createA2aEchoFinder } from '../../../src/attack/bindings/a2a/a2a-echoes.ts';
import { createAgUiEchoFinder } from '../../../src/attack/bindings/ag-ui/ag-ui-echoes.ts';
import { rememberAnswers } from '../../../src/attack/bindings/served-answers.ts';
import type { Echo } from '../../../src/format/model/binding-views.ts';
import type { MessageRecord, Value, ValueMap } from '../../../src/index.ts';
import { message } from '../../support/records.ts';

// The places of an agent's message at which it repeats our words.

type Fields = Partial<MessageRecord>;

/** The place of an echo, and what is left of a text that contains ours. */
function formatEcho({ path, rest }: Echo): string {
  return `${path.join('.')}${rest === undefined ? '' : ` leaves "${rest}"`}`;
}

describe('AG-UI echoes of our words', () => {
  const place = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client', kind: 'event' } as const;
  const long = 'please look up the weather';
  const input: ValueMap = {
    messages: [
      { id: 'm1', role: 'user', content: long },
      { role: 'user', content: 'hello there' },
      { role: 'tool', toolCallId: 'c1', content: 'sunny' },
      { id: 'm2', role: 'user', content: '  ' },
    ],
    state: { city: 'Rome', list: [1, 2] },
    context: [{ value: 'be brief, please' }],
  };
  const asked: Fields = { origin: 'attacker', kind: 'request', method: 'run_agent_input', content: input };

  /** The places that are ours in the last of the messages. */
  function echoes(...records: readonly Fields[]): string[] {
    const finder = createAgUiEchoFinder();
    const found = records.map((fields) => finder.echoesIn(message({ ...place, ...fields })));
    return (found.at(-1) ?? []).map(formatEcho).sort();
  }
  const said = (method: string, content: Value, more: Fields = {}) => echoes(asked, { method, content, ...more });

  test.each<[string, Value, readonly string[]]>([
    ['run_started', { input }, ['input']],
    [
      'run_started',
      { input: { own: 'other words', mine: `I was told: ${long}!`, context: input.context ?? null } },
      ['input.context'],
    ],
    [
      'run_started',
      { input: { messages: [{ role: 'user', content: `I was told: ${long}!` }], odd: long } },
      ['input.messages.0.content leaves "I was told: !"'],
    ],
    ['run_started', {}, []],
    ['messages_snapshot', { messages: [{ id: 'm1', role: 'user', content: 'changed' }] }, ['messages.0.id']],
    ['messages_snapshot', { messages: [{ id: 'm1', role: 'user', content: long }] }, ['messages.0']],
    [
      'messages_snapshot',
      { messages: [{ id: 'm1', role: 'user', content: `${long} and more` }] },
      ['messages.0.content leaves " and more"', 'messages.0.id'],
    ],
    ['messages_snapshot', { messages: [{ id: 'x', role: 'user', content: 'hello there' }] }, ['messages.0.content']],
    ['messages_snapshot', { messages: [{ id: 'x', role: 'assistant', content: 'hello there' }] }, []],
    [
      'messages_snapshot',
      { messages: ['odd', { role: 'tool', toolCallId: 'c1', content: 'x' }] },
      ['messages.1.toolCallId'],
    ],
    ['messages_snapshot', { messages: [{ role: 'assistant', toolCallId: 'c1', content: 'x' }] }, []],
    ['messages_snapshot', { messages: 'odd' }, []],
    ['state_snapshot', { snapshot: { city: 'Rome', list: [1, 2], more: 1 } }, ['snapshot.city', 'snapshot.list']],
    ['state_snapshot', { snapshot: { city: 'Oslo', context: input.context ?? null } }, ['snapshot.context']],
    [
      'state_snapshot',
      { snapshot: { messages: [{ role: 'user', content: long }, { id: 'm1' }] } },
      ['snapshot.messages.0'],
    ],
    ['state_snapshot', { snapshot: { others: [{ id: 'm1' }] } }, []],
    ['state_snapshot', { snapshot: 'odd' }, []],
    ['state_snapshot', {}, []],
    ['tool_call_result', { toolCallId: 'c1', content: 'anything' }, []],
    ['tool_call_result', { toolCallId: 'c1', content: 'sunny' }, ['content']],
    ['tool_call_result', { toolCallId: 'c2', content: 'anything' }, []],
    ['tool_call_result', { toolCallId: 'c2' }, []],
    ['text_message_content', { messageId: 'm1', delta: long }, []],
    ['text_message_content', { messageId: 'm1', delta: 'other' }, []],
    ['text_message_content', { messageId: 'x', delta: 'look up' }, []],
    ['text_message_content', { messageId: 5, delta: 'look up' }, []],
    ['text_message_content', { messageId: 'm1', delta: 5 }, []],
    ['raw', { event: { messages: [{ role: 'user', content: long }] } }, ['event.messages.0.content']],
    ['custom', { value: { city: 'Rome', text: 'x' } }, []],
    ['custom', { value: { state: { city: 'Rome', list: [1, 2] } } }, []],
    ['custom', {}, []],
    ['run_finished', { result: { messages: [{ role: 'user', content: long }] } }, []],
    ['state_delta', { delta: [{ op: 'add', path: '/city', value: 'Rome' }] }, ['delta.0.value']],
    ['state_delta', { delta: [{ op: 'add', path: '/city', value: 'Oslo' }] }, []],
    ['state_delta', {}, []],
    ['text_message_start', { rawEvent: { data: long, more: 'x' } }, []],
    ['text_message_start', { rawEvent: { input: [{ type: 'human', content: long }] } }, ['rawEvent.input.0.content']],
    ['text_message_start', { rawEvent: 'ok' }, []],
    ['toString', { value: long }, []],
    ['raw', null, []],
  ])('in %s with %j, are found at the places %j', (method, content, places) => {
    expect(said(method, content)).toEqual(places);
  });

  test('are found in a refusal that quotes the request', () => {
    expect(
      said('unknown', { detail: { input: { state: input.state ?? null } } }, { refused: 'HTTP 422', status: 422 }),
    ).toEqual(['detail.input.state']);
  });

  test('finds nothing of ours in a run that another actor asked for', () => {
    const other = { actor: 'other' };
    expect(said('run_started', { input }, other)).toEqual([]);
    expect(said('state_snapshot', { snapshot: input.state ?? null }, other)).toEqual([]);
    expect(said('state_delta', { delta: [{ op: 'add', path: '/city', value: 'Rome' }] }, other)).toEqual([]);
    expect(said('custom', { value: { list: [1, 2] } }, other)).toEqual([]);
    expect(said('text_message_start', { rawEvent: long }, other)).toEqual([]);
    expect(said('raw', { event: long }, { protocol: 'mcp' })).toEqual([]);
  });

  test('remembers only what was sent as a run input', () => {
    const elsewhere = { ...asked, method: 'other' };
    expect(echoes(elsewhere, { method: 'messages_snapshot', content: { messages: [{ id: 'm1' }] } })).toEqual([]);
  });

  test('finds the user’s words when they are streamed back under a new id', () => {
    const delta = (text: string): Fields => ({
      method: 'text_message_content',
      content: { messageId: 'n', delta: text },
    });
    const [first, second] = [long.slice(0, 9), long.slice(9)] as const;
    const start = (role: Value): Fields => ({
      method: 'text_message_start',
      content: { messageId: 'n', role },
    });
    expect(echoes(asked, start('user'), delta(first))).toEqual(['delta']);
    expect(echoes(asked, start('user'), delta(first), delta(second))).toEqual(['delta']);
    expect(echoes(asked, start('user'), delta(second))).toEqual([]);
    expect(echoes(asked, start('user'), delta(first), delta('pw'), delta(second))).toEqual([]);
    expect(echoes(asked, start('user'), delta(`${long}: pw`))).toEqual(['delta leaves ": pw"']);
    expect(echoes(asked, start('assistant'), delta(first))).toEqual([]);
    expect(echoes(asked, start(5), delta(first))).toEqual([]);
  });

  test('finds a state that is a list as a whole', () => {
    const flat = { ...asked, content: { state: [1, 2] } };
    const shot = (snapshot: Value): Fields => ({ method: 'state_snapshot', content: { snapshot } });
    expect(echoes(flat, shot([1, 2]))).toEqual(['snapshot']);
    expect(echoes(flat, shot([3, 1]))).toEqual(['snapshot.1']);
  });

  describe('AG-UI echoes of the result of a tool that we serve', () => {
    const call: Fields = {
      protocol: 'mcp',
      mode: 'mcp_server',
      kind: 'request',
      method: 'tools/call',
      content: { name: 'find' },
    };
    const text = 'all hotels are full tonight';
    const answer: Fields = {
      ...call,
      origin: 'attacker',
      kind: 'response',
      content: { content: [{ type: 'text', text }] },
    };
    const result: Fields = { method: 'tool_call_result', content: { toolCallId: 'c9', content: text } };
    const start = (name: string): Fields => ({
      method: 'tool_call_start',
      content: { toolCallId: 'c9', toolCallName: name },
    });
    const inSnapshot: Fields = {
      method: 'messages_snapshot',
      content: {
        messages: [
          {
            role: 'assistant',
            toolCalls: [{ id: 'c9', function: { name: 'find' } }, { id: 'c8', function: 'odd' }, 'odd'],
          },
        ],
      },
    };
    test.each<[string, readonly Fields[], readonly string[]]>([
      ['are found by the tool name', [call, answer, start('find'), result], ['content']],
      ['are found by the tool name in a snapshot', [call, answer, inSnapshot, result], ['content']],
      ['are found by their long text under another tool name', [call, answer, start('other'), result], ['content']],
      ['are found without a tool name', [call, answer, result], ['content']],
      ['are not found before the result was given', [call, start('find'), result], []],
    ])('%s', (_, records, places) => {
      expect(echoes(...records)).toEqual(places);
    });
  });
});

describe('rememberAnswers', () => {
  const call = (name: Value): Fields => ({ method: 'tools/call', content: { name } });
  const given = (content: Value, more: Fields = {}): Fields => ({
    origin: 'attacker',
    kind: 'response',
    content,
    ...more,
  });
  /** Whether a result is ours; where only parts of it are, those. */
  function gave(result: Value, name: string | undefined, ...records: readonly Fields[]): boolean | readonly string[] {
    const served = rememberAnswers();
    for (const fields of records) served.add(message(fields));
    const found = served.findIn(result, ['r'], name).map(formatEcho);
    return found.length === 0 ? false : found[0] === 'r' ? true : found;
  }
  const short = given({ text: 'ok' });
  const some = given({ text: 'eight888' });
  const long = given({ a: 'twenty characters or more', b: 'and another text' });

  test.each<[string, Value, string | undefined, readonly Fields[], boolean | readonly string[]]>([
    ['recognises a short text of a known tool', 'ok', 'find', [call('find'), short], true],
    ['recognises a short text of a tool name with a server prefix', 'ok', 'shop.find', [call('find'), short], true],
    ['rejects a short text of a tool name with only the same ending', 'ok', 'pathfind', [call('find'), short], false],
    ['rejects a short text of an unknown tool', 'ok', 'other', [call('find'), short], false],
    ['recognises a short text without a tool name', 'ok', undefined, [short], true],
    ['recognises a long text of an unknown tool', 'twenty characters or more', 'other', [long], true],
    [
      'recognises two texts joined by a line break',
      'twenty characters or more\nand another text',
      'other',
      [given({ content: [{ text: 'twenty characters or more' }, { text: 'and another text' }] })],
      true,
    ],
    ['recognises two texts as a list', ['twenty characters or more', 'and another text'], undefined, [long], true],
    [
      'cuts two texts out of JSON',
      ' {"x":["and another text","twenty characters or more"]}',
      'find',
      [call('find'), long],
      ['r leaves " {"x":["",""]}"'],
    ],
    ['recognises one of two texts of an unknown tool', ['twenty characters or more', 'mine'], 'other', [long], ['r.0']],
    [
      'recognises one of two texts of a known tool',
      ['twenty characters or more', 'mine'],
      'find',
      [call('find'), long],
      ['r.0'],
    ],
    [
      'cuts our text out of a longer one of a known tool',
      'it said: eight888!',
      'find',
      [call('find'), some],
      ['r leaves "it said: !"'],
    ],
    ['cuts our text out of no longer word', 'weight888', 'find', [call('find'), some], false],
    [
      'cuts our text out wherever it stands',
      'pw eight888 is eight888.',
      'find',
      [call('find'), some],
      ['r leaves "pw  is ."'],
    ],
    ['rejects our text within a longer one of an unknown tool', 'it said: eight888!', 'other', [some], false],
    ['rejects a text within a longer one when ours is too short', 'it said: ok!', 'find', [call('find'), short], false],
    ['recognises a part of our text', 'twenty characters or', 'find', [call('find'), long], true],
    ['rejects a part of our text that is too short', 'characters or', 'find', [call('find'), long], false],
    ['rejects an empty list', [], undefined, [short], false],
    ['recognises a text that only looks like JSON', '{ok', undefined, [given({ text: '{ok' })], true],
    [
      'recognises an answer that was part of a stream',
      'ok',
      undefined,
      [given({ text: 'ok' }, { kind: 'event' })],
      true,
    ],
    ['rejects the text of a request of ours', 'ok', undefined, [given({ text: 'ok' }, { kind: 'request' })], false],
    [
      'rejects the text of a tool list of ours',
      'ok',
      undefined,
      [given({ text: 'ok' }, { method: 'tools/list' })],
      false,
    ],
    ...['tasks/result', 'resources/read', 'prompts/get', 'message/send', 'message/stream', 'tasks/get'].map(
      (method): [string, Value, undefined, readonly Fields[], boolean | readonly string[]] => [
        `recognises an answer to ${method}`,
        'ok',
        undefined,
        [given({ text: 'ok' }, { method })],
        true,
      ],
    ),
    ['rejects a text of the agent itself', 'ok', undefined, [{ kind: 'response', content: { text: 'ok' } }], false],
    ['rejects a text after a call whose name is a number', 'ok', 'find', [call(5), short], false],
    ['rejects a text after a call without content', 'ok', 'find', [{ content: null }, short], false],
    ['leaves values that we did not give', { text: 'ok', b: 5, d: null }, undefined, [short], ['r.text']],
    ['leaves keys that we did not give', { a: 'ok' }, undefined, [short], ['r.a leaves ""']],
  ])('%s', (_, result, name, records, is) => {
    expect(gave(result, name, ...records)).toEqual(is);
  });

  test('keeps at most 10 000 values of one answer', () => {
    const flood = Array.from({ length: 10_001 }, (_, index) => `t${index}`);
    expect(gave('t0', undefined, given(flood))).toBe(true);
    expect(gave('t10000', undefined, given(flood))).toBe(false);
  });
});

describe('A2A echoes of our words', () => {
  const place = { actor: 'peer', protocol: 'a2a', mode: 'a2a_client' } as const;
  const config = { url: 'https://a.example', token: 'secret', authentication: { schemes: ['Bearer'] } };
  const user = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Keep it to yourself' }] };
  const ours: Fields = {
    origin: 'attacker',
    method: 'message/send',
    content: { message: { ...user, messageId: 'm1' }, configuration: { pushNotificationConfig: config } },
  };
  function echoes(content: Value, more: Fields = {}, before: readonly Fields[] = [ours]): string[] {
    const finder = createA2aEchoFinder();
    for (const fields of before) finder.echoesIn(message({ ...place, ...fields }));
    return finder
      .echoesIn(message({ ...place, kind: 'response', method: 'message/send', content, ...more }))
      .map(formatEcho)
      .sort();
  }
  const agent = { role: 'agent', messageId: 'x', parts: [{ text: 'No.' }] };
  const longer = { ...user, parts: [{ kind: 'text', text: 'Keep it to yourself: pw' }] };

  test.each<[Value, readonly string[]]>([
    [{ history: [user, agent] }, ['history.0']],
    [{ history: [{ ...user, messageId: 'm1' }] }, ['history.0']],
    [{ history: [{ ...user, contextId: 'c' }] }, ['history.0.kind', 'history.0.parts', 'history.0.role']],
    [
      { history: [{ ...user, pw: 'user' }] },
      ['history.0.kind', 'history.0.parts', 'history.0.pw leaves ""', 'history.0.role'],
    ],
    [{ history: [user, user] }, ['history.0']],
    [
      { history: [longer] },
      ['history.0.kind', 'history.0.parts.0.kind', 'history.0.parts.0.text leaves ": pw"', 'history.0.role'],
    ],
    [{ history: [{ role: 'ROLE_USER' }, 'odd'] }, []],
    [{ history: 'odd' }, []],
    [{ status: { state: 'completed', message: user } }, []],
    [{ status: { state: 'working', message: user } }, []],
    [{ status: { state: 'submitted', message: user } }, ['status.message']],
    [{ status: { state: 'TASK_STATE_SUBMITTED', message: user } }, ['status.message']],
    [{ status: { message: agent }, history: [user] }, ['history.0']],
    [{ status: 'odd' }, []],
    [{ ...user, kind: 'message' }, []],
    [{ ...user, messageId: 'm1' }, []],
    [{ task: { history: [user] } }, ['task.history.0']],
    [{ message: user }, []],
    [{ statusUpdate: { status: { state: 'submitted', message: user } } }, ['statusUpdate.status.message']],
    [{ task: 'odd' }, []],
    [{ task: null, tasks: 'odd' }, []],
    [{ tasks: [null] }, []],
    [{ status: { state: 'submitted', message: null } }, []],
    [{ tasks: [{ history: [agent] }, { history: [user] }, 'odd'] }, ['tasks.1.history.0']],
    ['odd', []],
    [null, []],
  ])('in %j, are found at the places %j', (content, places) => {
    expect(echoes(content)).toEqual(places);
  });

  test('are not looked for in what an agent sends to our server', () => {
    expect(echoes({ history: [user] }, { mode: 'a2a_server' })).toEqual([]);
  });

  test('are not looked for in our own messages, even malformed ones', () => {
    expect(
      echoes(agent, {}, [
        { ...ours, content: null },
        { ...ours, content: { message: 'odd' } },
      ]),
    ).toEqual([]);
    expect(echoes({ history: [user] }, { origin: 'attacker' })).toEqual([]);
  });

  const all = (at: string): string[] => ['authentication.schemes.0', 'token', 'url'].map((key) => at + key);
  test.each<[string, Value, readonly string[]]>([
    ['set', { taskId: 't', pushNotificationConfig: config }, all('pushNotificationConfig.')],
    ['set', { taskPushNotificationConfig: config }, all('taskPushNotificationConfig.')],
    ['get', config, all('')],
    ['list', [{ pushNotificationConfig: config }, 'odd'], all('0.pushNotificationConfig.')],
    ['list', { configs: [config] }, all('configs.0.')],
    [
      'get',
      { pushNotificationConfig: { ...config, token: 'other', id: 'c' } },
      ['pushNotificationConfig.authentication.schemes.0', 'pushNotificationConfig.url'],
    ],
    ['get', { pushNotificationConfig: 'odd' }, []],
    ['get', { url: 5 }, []],
    ['get', { token: 'secret' }, []],
    ['get', null, []],
  ])('are found in the push configuration of %s %j at %j', (method, content, places) => {
    expect(echoes(content, { method: `tasks/pushNotificationConfig/${method}` })).toEqual(places);
  });
});
