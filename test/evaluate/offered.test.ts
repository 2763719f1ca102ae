import { describe, expect, test } from 'vitest';
import { createEchoes } from '../../src/evaluate/echoes.ts';
import { createProjector, isOffered, projectableTarget } from '../../src/evaluate/projections.ts';
import { trackReach } from '../../src/evaluate/reach.ts';
import type { NormalizedIndicator } from '../../src/model/normalized.ts';
import type { BindingViews, Projection } from '../../src/model/views.ts';
import { message } from '../support/records.ts';

// Which views of messages an indicator is offered.

const indicator: NormalizedIndicator = {
  id: 'I',
  protocol: 'mcp',
  target: 'body.x',
  pattern: { target: 'body.x', condition: { contains: 'a' } },
};
const absent = { pattern: { target: 'body.x', condition: { exists: false } } };
const present = { pattern: { target: 'body.x', condition: { exists: true } } };
const semantic = { pattern: undefined, semantic: { target: 'body.s', intent: 'i' } };
const projection: Projection = {
  path: 'body',
  content: {},
  record: 1,
  protocol: 'mcp',
  direction: 'request',
  actor: 'a',
};
const whole = { last: message({ actor: 'a' }), surfaces: ['message', 'part'], isWhole: true };
const part = { ...whole, isWhole: false };

describe('a view', () => {
  test.each<[title: string, view: Partial<Projection>, of: object, expected: boolean, withPaths?: boolean]>([
    ['that the target begins with', {}, {}, true],
    ['that is the target', { path: 'body.x' }, {}, true],
    ['whose item is the target', { path: 'body' }, { projectable: 'body[0]' }, true],
    ['that the target only resembles', { path: 'bod' }, {}, false],
    ['that is deeper than the target', { path: 'body.x.y' }, {}, false],
    ['of an indicator that may see none', {}, { projectable: undefined }, false],
    ['where nobody wants any', {}, {}, false, false],
    ['of another protocol', { protocol: 'a2a' }, {}, false],
    ['of any protocol', { protocol: 'a2a', anyProtocol: true }, {}, true],
    ['of ours', { own: true }, {}, false],
    ['of ours, in the direction that is asked for', { own: true }, { direction: 'request' }, true],
    ['in the direction that is asked for', {}, { direction: 'request' }, true],
    ['in the other direction', {}, { direction: 'response' }, false],
    ['of the actor that is asked for', {}, { actor: 'a' }, true],
    ['of another actor', {}, { actor: 'b' }, false],
    ['of a stream', { stream: whole }, { projectable: undefined }, true, false],
    ['of a stream of another protocol', { stream: whole, protocol: 'a2a' }, {}, false],
    ['of a stream of ours', { stream: whole, own: true }, {}, false],
    ['of a stream to the actor that is asked for', { stream: whole, actor: 'b' }, { actor: 'a' }, true],
    ['of a stream to another actor', { stream: whole }, { actor: 'b' }, false],
    ['of a stream under its name', { stream: whole }, { surface: 'part' }, true],
    ['of a stream under another name', { stream: whole }, { surface: 'other' }, false],
    ['of a stream, for a value that is not there', { stream: whole }, absent, false],
    ['of a stream, for a value that is there', { stream: whole }, present, true],
    [
      'of a stream under its name, for a value that is not there',
      { stream: whole },
      { ...absent, surface: 'part' },
      false,
    ],
    ['of a part', { stream: part }, {}, false],
    ['of a part under its name', { stream: part }, { surface: 'part' }, true],
    [
      'of a part under its name, for a value that is not there',
      { stream: part },
      { ...absent, surface: 'part' },
      true,
    ],
    ['of a stream, for a judge', { stream: whole }, semantic, true],
  ])('%s', (_, view, of, expected, withPaths = true) => {
    const { projectable = 'projectable' in of ? undefined : 'body.x', ...more } = of as {
      projectable?: string;
    };
    const offered = { indicator: { ...indicator, ...more } as NormalizedIndicator, projectable };
    expect(isOffered({ ...projection, ...view }, offered, withPaths) === true).toBe(expected);
  });
});

test.each<[title: string, of: object, target: string | undefined]>([
  ['a pattern', {}, 'body.x'],
  ['a pattern for a surface', { surface: 'tools/call' }, undefined],
  ['a pattern for a value that is not there', absent, undefined],
  ['a pattern for a value that is there', present, 'body.x'],
  ['a pattern for a plain value', { pattern: { target: 'body.x', condition: 'a' } }, 'body.x'],
  ['a judge', semantic, 'body.s'],
  ['an expression', { pattern: undefined, expression: { cel: 'true' } }, undefined],
])('the target by which %s sees views', (_, of, target) => {
  expect(projectableTarget({ ...indicator, ...of } as NormalizedIndicator)).toBe(target);
});

describe('views are made', () => {
  const { actor: __, ...ofNobody } = projection;
  const made = (record: number): Projection => ({ ...ofNobody, path: 'p', record });
  const binding: BindingViews = {
    protocol: 'mcp',
    pieces: () => [],
    signs: () => ({}),
    projector: () => ({ add: ({ seq }) => [made(seq), made(seq - 1)], finish: () => [made(99)] }),
  };
  const { projector: _, ...plain } = binding;
  const mcp = new Set(['mcp']);
  const none = new Set<string>();
  const record = message({ seq: 5, actor: 'a', content: { x: 1 } });
  const added = (
    of: readonly BindingViews[],
    protocols: ReadonlySet<string>,
    targets: readonly string[],
    it = record,
  ) =>
    createProjector(of, protocols, targets)
      ?.add(it)
      .map(({ path, record: at, actor }) => [path, at, actor]);
  test('by the binding of a protocol that is looked at', () => {
    // A view of this very message belongs to its actor; of another message, the binding has to say whose it is.
    expect(added([binding], mcp, [])).toEqual([
      ['p', 5, 'a'],
      ['p', 4, undefined],
    ]);
  });
  test('by every binding where a target may want them', () => {
    expect(added([binding], none, ['x'])?.length).toBe(2);
  });
  test.each<[title: string, of: readonly BindingViews[], protocols: ReadonlySet<string>]>([
    ['a protocol that nobody looks at', [binding], none],
    ['a binding without them', [plain], mcp],
  ])('not by %s', (___, of, protocols) => {
    expect(createProjector(of, protocols, [])).toBeUndefined();
  });
  test('not by a binding for another protocol', () => {
    expect(added([binding], mcp, [], message({ seq: 5, protocol: 'a2a' }))).toEqual([]);
  });
  test.each([
    ['body', true],
    ['body.x', true],
    ['body[0]', true],
    ['bodyguard', false],
  ])('of the whole message for %s', (target, isMade) => {
    expect(createProjector([], none, [target])?.add(record)).toEqual(
      isMade
        ? [
            {
              path: 'body',
              content: { body: { x: 1 } },
              record: 5,
              protocol: 'mcp',
              direction: 'request',
              actor: 'a',
            },
          ]
        : undefined,
    );
  });
  test('of the whole message of ours', () => {
    const [body] = createProjector([], none, ['body'])?.add({ ...record, origin: 'attacker' }) ?? [];
    expect([body?.own, body?.direction]).toEqual([true, 'response']);
  });
  test('behind those of the binding', () => {
    expect(added([binding], mcp, ['x', 'body'])?.map(([path]) => path)).toEqual(['p', 'p', 'body']);
  });
  test('when all is over', () => {
    expect(createProjector([binding, { ...binding, protocol: 'a2a' }], none, ['x'])?.finish().length).toBe(2);
    expect(createProjector([], none, ['body'])?.finish()).toEqual([]);
  });
});

describe('echoes are found', () => {
  const seen: string[] = [];
  const binding = (protocol: string, at: string): BindingViews => ({
    protocol,
    pieces: () => [],
    signs: () => ({}),
    echoes: () => ({
      echoesIn: ({ method }) => {
        seen.push(`${protocol} ${method}`);
        return [[at]];
      },
    }),
  });
  const { echoes: _, ...plain } = binding('mcp', 'm');
  const both = [binding('mcp', 'm'), binding('a2a', 'a')];
  const all = new Set(['mcp', 'a2a']);
  test('by nobody', () => {
    expect(createEchoes([plain], all)).toBeUndefined();
    expect(createEchoes(both, new Set(['ag_ui']))).toBeUndefined();
  });
  test('in the agent’s messages, by the binding of their protocol', () => {
    const echoes = createEchoes(both, all);
    expect(echoes?.add(message({ protocol: 'a2a' }))).toEqual([['a']]);
    expect(echoes?.add(message({ protocol: 'mcp' }))).toEqual([['m']]);
    expect(echoes?.add(message({ protocol: 'mcp', origin: 'attacker' }))).toEqual([]);
    expect(echoes?.add(message({ protocol: 'voice' }))).toEqual([]);
  });
  test('by bindings that see every message', () => {
    seen.length = 0;
    createEchoes(both, all)?.add(message({ protocol: 'voice', method: 'said' }));
    expect(seen).toEqual(['mcp said', 'a2a said']);
  });
  test('in views', () => {
    const echoes = createEchoes(both, all);
    const ofBody = echoes?.inProjection(projection, [['x', 0]]);
    expect(ofBody).toEqual([['body', 'x', 0]]);
    const other = { ...projection, path: 'p', protocol: 'a2a' };
    expect(echoes?.inProjection(other, [['x']])).toEqual([]);
    seen.length = 0;
    expect(echoes?.inProjection({ ...other, stream: whole }, [['x']])).toEqual([['a']]);
    expect(seen).toEqual(['a2a message']);
    expect(echoes?.inProjection({ ...other, protocol: 'voice', stream: whole }, [])).toEqual([]);
    const further = createEchoes([...both, binding('a2a', 'b')], all);
    expect(further?.inProjection({ ...other, stream: whole }, [])).toEqual([['b']]);
    expect(further?.add(message({ protocol: 'a2a' }))).toEqual([['b']]);
    echoes?.inProjection({ ...other, stream: { ...whole, surfaces: [] } }, []);
    expect(seen.at(-1)).toBe('a2a ');
  });
});

test('what came from the agent is known by protocol and by actor', () => {
  const reach = trackReach();
  const reached = () => [
    reach.isReached('mcp', undefined),
    reach.isReached('mcp', 'a'),
    reach.isReached('a2a', undefined),
    reach.isReached('mcp', 'b'),
  ];
  expect(reached()).toEqual([false, false, false, false]);
  reach.add(message({ actor: 'a', origin: 'attacker' }));
  reach.add(message({ actor: 'a', refused: 'no' }));
  expect(reached()).toEqual([false, false, false, false]);
  reach.add(message({ actor: 'a' }));
  expect(reached()).toEqual([true, true, false, false]);
});
