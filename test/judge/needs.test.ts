import { describe, expect, test } from 'vitest';
import { includedViews } from '../../src/bindings/included.ts';
import { type NeedOptions, needsOf } from '../../src/judge/needs.ts';
import { piecesOf } from '../../src/judge/pieces.ts';
import { surfacesOf } from '../../src/judge/surfaces.ts';
import type { Mark } from '../../src/model/marks.ts';
import type { BindingViews } from '../../src/model/views.ts';
import { documentWith } from '../support/records.ts';

// The pieces of documents, and which of them must reach the agent.

const tool = (name: string, more: object = {}): object => ({ name, description: 'It.', ...more });
const answers = { responses: [{ content: [] }] };
const user = (...messages: readonly object[]): object => ({
  name: 'user',
  mode: 'ag_ui_client',
  phases: [{ name: 'one', state: { run_agent_input: { messages } } }],
});
const actor = (mode: string, ...phases: readonly object[]): object => ({
  name: 'a',
  mode,
  phases: phases.map((phase, at) => ({
    name: ['one', 'two', 'three'][at],
    ...(at + 1 < phases.length && { trigger: { event: 'tools/call' } }),
    ...phase,
  })),
});
const server = (...states: readonly object[]): object =>
  actor('mcp_server', ...states.map((state) => ({ state })));

describe('the pieces of', () => {
  test.each<[title: string, execution: object, pieces: readonly (readonly unknown[])[]]>([
    [
      'a server',
      { actors: [server({ tools: [tool('x', answers)], instructions: 'I.' })] },
      [
        ['/phases/0/state/instructions', 'instructions', ['instructions'], undefined],
        ['/phases/0/state/tools/0', 'tool', ['tools'], undefined],
        ['/phases/0/state/tools/0/responses/0', 'tool_response', ['tools'], undefined],
      ],
    ],
    [
      'a later phase, which has to be listed again',
      { actors: [server({}, { tools: [tool('x', answers)], instructions: 'I.' })] },
      [
        ['/phases/1/state/instructions', 'instructions', ['instructions'], undefined],
        ['/phases/1/state/tools/0', 'tool', ['tools', 'list-changes'], undefined],
        ['/phases/1/state/tools/0/responses/0', 'tool_response', ['tools'], undefined],
      ],
    ],
    [
      'a later card, which has no surface',
      {
        actors: [
          actor(
            'a2a_server',
            { state: {}, trigger: { event: 'message/send' } },
            { state: { agent_card: { name: 'n' } } },
          ),
        ],
      },
      [['/phases/1/state/agent_card', 'card', [], undefined]],
    ],
    [
      'a question, which takes a capability',
      { actors: [server({ elicitations: [{ message: 'Q?' }] })] },
      [['/phases/0/state/elicitations/0', 'elicitation', ['elicitation'], 'elicitation']],
    ],
    [
      'a phase without a state',
      { actors: [actor('mcp_server', { state: { tools: [tool('x')] } }, {})] },
      [['/phases/0/state/tools/0', 'tool', ['tools'], undefined]],
    ],
    ['a mode that nobody knows', { actors: [actor('voice_server', { state: { tools: [tool('x')] } })] }, []],
    [
      'entry actions',
      {
        actors: [
          actor('mcp_server', {
            state: {},
            on_enter: [
              { log: { message: 'now' } },
              { send: { method: 'notifications/progress' } },
              { send: { method: 'sampling/createMessage' } },
              { push_notification: { url: 'x' } },
            ],
          }),
        ],
      },
      [
        ['/phases/0/on_enter/1', 'entry_notification', [], undefined],
        ['/phases/0/on_enter/2', 'entry_request', [], undefined],
        ['/phases/0/on_enter/3', 'push', ['push'], undefined],
      ],
    ],
    [
      'rules of sending',
      { actors: [actor('mcp_server', { state: {}, 'x-wire': [{ on: 'tools/call', repeat: 2 }, 'odd'] })] },
      [
        ['/phases/0/x-wire/0', 'wire_rule', [], undefined],
        ['/phases/0/x-wire/1', 'wire_rule', [], undefined],
      ],
    ],
    [
      'rules beside a state',
      { mode: 'mcp_server', state: {}, 'x-wire': [{ on: 'tools/call', repeat: 2 }] },
      [['/phases/0/x-wire/0', 'wire_rule', [], undefined]],
    ],
    ['rules that are none', { mode: 'mcp_server', state: {}, 'x-wire': { on: 'tools/call' } }, []],
  ])('%s', (_, execution, pieces) => {
    const found = piecesOf(documentWith({ execution }), includedViews);
    expect(found.map(({ at, kind, surfaces, capability }) => [at, kind, surfaces, capability])).toEqual(
      pieces,
    );
  });

  test('a rule of sending are named by what they change', () => {
    const execution = { mode: 'mcp_server', state: {}, 'x-wire': [{ on: 'tools/call', repeat: 2 }, 'odd'] };
    expect(piecesOf(documentWith({ execution }), includedViews)).toEqual([
      {
        actor: 'default',
        mode: 'mcp_server',
        phase: 'phase-1',
        phaseIndex: 0,
        at: '/phases/0/x-wire/0',
        kind: 'wire_rule',
        label: 'the x-wire rule for tools/call',
        surfaces: [],
      },
      expect.objectContaining({ at: '/phases/0/x-wire/1', label: 'the x-wire rule for ' }),
    ]);
  });

  test('a further binding take the place of included ones, and a state alone has them', () => {
    const further: BindingViews = {
      protocol: 'mcp',
      pieces: () => [{ at: '/x', kind: 'tool', label: 'mine' }],
      signs: () => ({}),
    };
    const execution = { actors: [actor('mcp_server', { state: { tools: [tool('x')] } }, {})] };
    const found = piecesOf(documentWith({ execution }), [...includedViews, further]);
    expect(found.map(({ at, label }) => [at, label])).toEqual([['/phases/0/state/x', 'mine']]);
  });

  test('a later phase say which phase writes them', () => {
    const execution = { actors: [server({}, { tools: [tool('x')] })] };
    expect(piecesOf(documentWith({ execution }), includedViews)).toMatchObject([
      { actor: 'a', phase: 'two', phaseIndex: 1, label: 'the tool "x"' },
    ]);
  });
});

/** Each need as the pieces that meet it, without what all pointers begin with; then what no binding plays. */
function found(execution: object, options: Partial<NeedOptions> = {}) {
  const document = documentWith({ execution });
  const all = { marks: [], demand: 'payload', absent: [], skipped: [], ...options } as const;
  const { needs, unplayed, inferred } = needsOf(document, piecesOf(document, includedViews), all);
  const pointers = needs.map(({ anyOf }) =>
    anyOf
      .map(({ actor: name, at }) => `${name === 'a' ? '' : name}${at.replace('/phases/', '')}`)
      .join(' or '),
  );
  return { pointers, unplayed, inferred, written: needs.map(({ written }) => written) };
}

describe('without marks', () => {
  const card = { agent_card: { name: 'n' }, task_responses: [{ messages: [] }] };
  const rows: readonly [
    title: string,
    actors: readonly object[],
    pointers: readonly string[],
    options?: Partial<NeedOptions>,
  ][] = [
    ['nothing', [server({})], []],
    [
      'a tool: its phase and its list',
      [server({ tools: [tool('x')] })],
      ['0/state/tools/0', '0/state/tools/0'],
    ],
    [
      'two tools: one of them',
      [server({ tools: [tool('x'), tool('y')] })],
      ['0/state/tools/0 or 0/state/tools/1', '0/state/tools/0 or 0/state/tools/1'],
    ],
    [
      'an answer',
      [server({ tools: [tool('x', answers)] })],
      ['0/state/tools/0 or 0/state/tools/0/responses/0', '0/state/tools/0', '0/state/tools/0/responses/0'],
    ],
    [
      'every phase, each kind once',
      [server({ tools: [tool('x')] }, { prompts: [{ name: 'p' }] }, { tools: [tool('y')] })],
      [
        '0/state/tools/0',
        '1/state/prompts/0',
        '2/state/tools/0',
        '0/state/tools/0 or 2/state/tools/0',
        '1/state/prompts/0',
      ],
    ],
    [
      'everything that a client says',
      [user({ id: '1', role: 'user', content: 'A' }, { id: '2', role: 'user', content: 'B' })],
      [
        'user0/state/run_agent_input/messages/0 or user0/state/run_agent_input/messages/1',
        'user0/state/run_agent_input/messages/0',
        'user0/state/run_agent_input/messages/1',
      ],
    ],
    [
      'of a client only what it says, and no list',
      [
        actor('mcp_client', {
          state: { client_info: { name: 'c' }, actions: [{ method: 'tools/list' }] },
        }),
      ],
      ['0/state/client_info or 0/state/actions/0', '0/state/actions/0'],
    ],
    [
      'no entry request of a server as such',
      [actor('mcp_server', { state: {}, on_enter: [{ send: { method: 'sampling/createMessage' } }] })],
      ['0/on_enter/0'],
    ],
    [
      'no notice',
      [actor('mcp_server', { state: {}, on_enter: [{ send: { method: 'notifications/progress' } }] })],
      [],
    ],
    ['no rule of sending', [actor('mcp_server', { state: {}, 'x-wire': [{ on: 'tools/call' }] })], []],
    [
      'one answer of a kind, over all actors',
      [
        server({ tools: [tool('x', answers)] }),
        { ...(server({ tools: [tool('y', answers)] }) as object), name: 'b' },
      ],
      [
        '0/state/tools/0 or 0/state/tools/0/responses/0',
        '0/state/tools/0',
        'b0/state/tools/0 or b0/state/tools/0/responses/0',
        'b0/state/tools/0',
        '0/state/tools/0/responses/0 or b0/state/tools/0/responses/0',
      ],
    ],
    [
      'a card and an answer',
      [actor('a2a_server', { state: card })],
      ['0/state/agent_card or 0/state/task_responses/0', '0/state/agent_card', '0/state/task_responses/0'],
    ],
    [
      'nothing of whom the operator stands in for',
      [server({ tools: [tool('x')] }), user({ id: '1', role: 'user', content: 'A' })],
      ['0/state/tools/0', '0/state/tools/0'],
      { absent: ['user'] },
    ],
    [
      'no answer of whom the operator stands in for',
      [server({ tools: [tool('x')] }), { ...server({ tools: [tool('y', answers)] }), name: 'b' }],
      ['0/state/tools/0', '0/state/tools/0'],
      { absent: ['b'] },
    ],
    [
      'no key of whom the operator stands in for',
      [server({ tools: [tool('x')] }), { ...server({ odd: 1 }), name: 'b' }],
      ['0/state/tools/0', '0/state/tools/0'],
      { absent: ['b'] },
    ],
    [
      'as little as one piece of each',
      [
        actor('mcp_server', { state: { tools: [tool('x')] }, 'x-wire': [{ on: 'tools/call' }] }),
        user({ id: '1', role: 'user', content: 'A' }),
      ],
      ['0/state/tools/0', 'user0/state/run_agent_input/messages/0'],
      { demand: 'reached' },
    ],
    [
      'as little as one piece of each that has any',
      [server({ tools: [tool('x')] }), { ...(server({}) as object), name: 'b' }],
      ['0/state/tools/0'],
      { demand: 'reached' },
    ],
    [
      'as little as one piece of each who was there',
      [server({ tools: [tool('x')] }), user({ id: '1', role: 'user', content: 'A' })],
      ['0/state/tools/0'],
      { demand: 'reached', absent: ['user'] },
    ],
  ];
  test.each(rows)('%s', (_, actors, pointers, options) => {
    const { written, ...rest } = found({ actors }, options);
    expect(rest).toEqual({ pointers, unplayed: [], inferred: true });
    expect(written.every((text) => text === undefined)).toBe(true);
  });

  test.each<[title: string, actors: readonly object[], unplayed: readonly string[], skipped?: string]>([
    ['a key', [server({ odd: 1 })], ['`state.odd` of phase "one" of "a"']],
    ['a key of a later phase', [server({}, { odd: 1 })], ['`state.odd` of phase "two" of "a"']],
    ['a key of the tool’s own', [server({ logging: [], caching: {} })], []],
    ['a key of somebody’s own', [server({ 'x-odd': 1 })], []],
    ['a key of another mode', [server({ agent_card: {} })], ['`state.agent_card` of phase "one" of "a"']],
    ['a key of a mode that nobody knows', [actor('voice_server', { state: { odd: 1 } })], []],
    ['a phase without a state', [actor('mcp_server', { state: {} }, {})], []],
    [
      'a mode that nobody plays',
      [actor('voice_server', { state: { odd: 1 } })],
      ['the mode "voice_server" of "a"'],
      'a',
    ],
    ['a client without a peer', [user()], [], 'user'],
    ['a server that was played', [actor('voice_server', { state: { odd: 1 } })], [], 'b'],
  ])('no binding plays %s', (_, actors, unplayed, skipped) => {
    expect(found({ actors }, { skipped: skipped === undefined ? [] : [skipped] }).unplayed).toEqual(unplayed);
  });

  test('whoever asks for little asks for no key', () => {
    expect(found({ actors: [server({ odd: 1 })] }, { demand: 'reached' }).unplayed).toEqual([]);
  });
});

describe('with marks', () => {
  const mark = (at: string, more: Partial<Mark> = {}): Mark => ({
    actor: 'a',
    phase: 'one',
    at,
    needed: true,
    ...more,
  });
  const eleven = Array.from({ length: 11 }, (_, at) => tool(`t${at}`));
  const said = (text: string): object => ({ responses: [{ content: [{ type: 'text', text }] }] });
  const rows: readonly [
    title: string,
    actor: object,
    marks: readonly Mark[],
    pointers: readonly string[],
    written?: readonly (string | undefined)[],
  ][] = [
    ['the piece itself', server({ tools: [tool('x')] }), [mark('/state/tools/0')], ['0/state/tools/0']],
    [
      'a part of a piece',
      server({ tools: [tool('x')] }),
      [mark('/state/tools/0/description')],
      ['0/state/tools/0'],
    ],
    [
      'a part of the innermost piece',
      server({ tools: [tool('x', answers)] }),
      [mark('/state/tools/0/responses/0/content')],
      ['0/state/tools/0/responses/0'],
    ],
    ['the tenth', server({ tools: eleven }), [mark('/state/tools/10/description')], ['0/state/tools/10']],
    ['the first of ten', server({ tools: eleven }), [mark('/state/tools/1')], ['0/state/tools/1']],
    [
      'a whole list',
      server({ tools: [tool('x', answers), tool('y')] }),
      [mark('/state/tools')],
      ['0/state/tools/0', '0/state/tools/1'],
    ],
    [
      'the answers of a tool belong to it',
      server({ tools: [tool('x', answers)] }),
      [mark('/state/tools/0/responses')],
      ['0/state/tools/0'],
    ],
    [
      'a later phase',
      server({ tools: [tool('x')] }, { tools: [tool('y')] }),
      [mark('/state/tools/0', { phase: 'two' })],
      ['1/state/tools/0'],
    ],
    [
      'two of which one is asked for',
      server({ tools: [tool('x'), tool('y')] }),
      [mark('/state/tools/1', { needed: false }), mark('/state/tools/0')],
      ['0/state/tools/0'],
    ],
    [
      'a rule of sending',
      actor('mcp_server', { state: {}, 'x-wire': [{ on: 'tools/call', text: '{{w}}' }] }),
      [mark('/x-wire/0')],
      ['0/x-wire/0'],
      ['{{w}}'],
    ],
    [
      'a template',
      server({ tools: [tool('x', { description: 'Say {{w}}.' })] }),
      [mark('/state/tools/0/description')],
      ['0/state/tools/0'],
      ['Say {{w}}.'],
    ],
    [
      'a template beside it',
      server({ tools: [tool('x', { title: 'Say {{w}}.' })] }),
      [mark('/state/tools/0/description')],
      ['0/state/tools/0'],
    ],
    [
      'templates within it',
      server({ tools: [tool('x', { ...said('{{w}}'), description: '{{v}} {', other: null })] }),
      [mark('/state/tools/0')],
      ['0/state/tools/0'],
      ['{{w}}\n{{v}} {'],
    ],
    [
      'a template behind a key with a slash and a tilde',
      server({ tools: [tool('x', { 'a/b~1': '{{w}}' })] }),
      [mark('/state/tools/0/a~1b~01')],
      ['0/state/tools/0'],
      ['{{w}}'],
    ],
    [
      'a template in an entry action',
      actor('mcp_server', {
        state: {},
        on_enter: [
          { send: { method: 'notifications/message', params: { data: '{{w}}' } } },
          { push_notification: { url: '{{v}}' } },
        ],
      }),
      [mark('/on_enter/0/send/params'), mark('/on_enter/1/push_notification/url'), mark('/on_enter/1/send')],
      ['0/on_enter/0', '0/on_enter/1', '0/on_enter/1'],
      ['{{w}}', '{{v}}', undefined],
    ],
    [
      'a template behind no index',
      server({ tools: [tool('x', { list: ['{{w}}'] })] }),
      ['length', '1', '0/0', ''].map((key) => mark(`/state/tools/0/list/${key}`)),
      Array(4).fill('0/state/tools/0'),
    ],
    [
      'a template behind a key that every map has',
      server({ tools: [tool('x')] }),
      [mark('/state/tools/0/constructor/name')],
      ['0/state/tools/0'],
    ],
  ];
  test.each(rows)('%s', (_, one, marks, pointers, written = pointers.map(() => undefined)) => {
    expect(found({ actors: [one] }, { marks })).toEqual({ pointers, written, unplayed: [], inferred: false });
  });

  test('a template beside a state in the single-phase form', () => {
    const execution = { mode: 'mcp_server', state: {}, 'x-wire': [{ on: 'tools/call', text: '{{w}}' }] };
    const marks = [mark('/x-wire/0', { actor: 'default', phase: 'phase-1' })];
    expect(found(execution, { marks }).written).toEqual(['{{w}}']);
  });

  test.each<[title: string, mark: Mark, unplayed: string]>([
    ['where no piece is', mark('/state/odd'), '/state/odd of phase "one" of "a"'],
    ['in entry actions that are not there', mark('/on_enter/0'), '/on_enter/0 of phase "one" of "a"'],
    [
      'of an actor that is not there',
      mark('/state/tools/0', { actor: 'b' }),
      '/state/tools/0 of phase "one" of "b"',
    ],
    [
      'of a phase that is not there',
      mark('/state/tools/0', { phase: 'b' }),
      '/state/tools/0 of phase "b" of "a"',
    ],
  ])('a mark %s is unplayed', (_, one, unplayed) => {
    expect(found({ actors: [server({ tools: [tool('x')] })] }, { marks: [one] })).toEqual({
      pointers: [],
      written: [],
      unplayed: [unplayed],
      inferred: false,
    });
  });

  test('the innermost piece counts, whatever comes first', () => {
    const document = documentWith({ execution: { actors: [server({ tools: [tool('x', answers)] })] } });
    const options = { marks: [mark('/state/tools/0/responses/0/content')], demand: 'payload' } as const;
    const pieces = piecesOf(document, includedViews).toReversed();
    const { needs } = needsOf(document, pieces, { ...options, absent: [], skipped: [] });
    expect(needs.map(({ anyOf }) => anyOf.map(({ kind }) => kind))).toEqual([['tool_response']]);
  });

  test('a mark means its own actor', () => {
    const actors = [server({ tools: [tool('x')] }), { ...server({ tools: [tool('y')] }), name: 'b' }];
    expect(found({ actors }, { marks: [mark('/state/tools/0', { actor: 'b' })] }).pointers).toEqual([
      'b0/state/tools/0',
    ]);
  });

  test('marks of which none is asked for leave it to the shape', () => {
    const marks = [mark('/state/tools/0', { needed: false })];
    expect(found({ actors: [server({ tools: [tool('x'), tool('y')] })] }, { marks })).toMatchObject({
      pointers: Array(2).fill('0/state/tools/0 or 0/state/tools/1'),
      inferred: true,
    });
  });

  test('whoever asks for little does not ask for them', () => {
    const marks = [mark('/state/tools/1')];
    expect(
      found({ actors: [server({ tools: [tool('x'), tool('y')] })] }, { marks, demand: 'reached' }),
    ).toMatchObject({ pointers: ['0/state/tools/0 or 0/state/tools/1'], inferred: false });
  });
});

test('a document needs the surfaces of the pieces that it needs', () => {
  const document = documentWith({
    execution: {
      actors: [
        server({ tools: [tool('x', answers)], progress: [{}] }, { elicitations: [{ message: 'Q?' }] }),
      ],
    },
  });
  expect(surfacesOf(document, includedViews, [])).toEqual(['tools', 'progress', 'elicitation']);
  const marks = [{ actor: 'a', phase: 'two', at: '/state/elicitations/0', needed: true }];
  expect(surfacesOf(document, includedViews, marks)).toEqual(['elicitation']);
});
