import { describe, expect, test } from 'vitest';
import type { BindingViews, Projection } from '../../../src/format/model/binding-views.ts';
import type { NormalizedIndicator } from '../../../src/format/model/normalized.ts';
import { createProjector, findProjectableTarget, isOffered } from '../../../src/judgement/evaluate/projections.ts';
import { createEchoes } from '../../../src/judgement/evaluate/trace-echoes.ts';
import { trackReach } from '../../../src/judgement/evaluate/trace-evaluator.ts';
import { message } from '../../support/records.ts';

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

describe('isOffered, for a view', () => {
  test.each<[title: string, view: Partial<Projection>, of: object, expected: boolean, withPaths?: boolean]>([
    ['that the target begins with', {}, {}, true],
    ['that is the target', { path: 'body.x' }, {}, true],
    ['of which an item is the target', { path: 'body' }, { projectable: 'body[0]' }, true],
    ['that the target only resembles', { path: 'bod' }, {}, false],
    ['that is deeper than the target', { path: 'body.x.y' }, {}, false],
    ['for an indicator that may see no views', {}, { projectable: undefined }, false],
    ['when views by path are off', {}, {}, false, false],
    ['of another protocol', { protocol: 'a2a' }, {}, false],
    ['of another protocol that is meant for any protocol', { protocol: 'a2a', anyProtocol: true }, {}, true],
    ['of our own message', { own: true }, {}, false],
    ['of our own message, in the indicator’s direction', { own: true }, { direction: 'request' }, true],
    ['in the indicator’s direction', {}, { direction: 'request' }, true],
    ['in the other direction', {}, { direction: 'response' }, false],
    ['of the indicator’s actor', {}, { actor: 'a' }, true],
    ['of another actor', {}, { actor: 'b' }, false],
    ['of a stream', { stream: whole }, { projectable: undefined }, true, false],
    ['of a stream of another protocol', { stream: whole, protocol: 'a2a' }, {}, false],
    ['of a stream of ours', { stream: whole, own: true }, {}, false],
    ['of a stream to the indicator’s actor', { stream: whole, actor: 'b' }, { actor: 'a' }, true],
    ['of a stream to another actor', { stream: whole }, { actor: 'b' }, false],
    ['of a stream under the indicator’s surface', { stream: whole }, { surface: 'part' }, true],
    ['of a stream under another surface', { stream: whole }, { surface: 'other' }, false],
    ['of a stream, for a pattern that expects no value', { stream: whole }, absent, false],
    ['of a stream, for a pattern that expects a value', { stream: whole }, present, true],
    [
      'of a stream under the indicator’s surface, for a pattern that expects no value',
      { stream: whole },
      { ...absent, surface: 'part' },
      false,
    ],
    ['of a part of a stream', { stream: part }, {}, false],
    ['of a part of a stream under the indicator’s surface', { stream: part }, { surface: 'part' }, true],
    [
      'of a part of a stream under the indicator’s surface, for a pattern that expects no value',
      { stream: part },
      { ...absent, surface: 'part' },
      true,
    ],
    ['of a stream, for a semantic indicator', { stream: whole }, semantic, true],
  ])('returns $3 for a view %s', (_, view, of, expected, withPaths = true) => {
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
  ['a pattern that expects no value', absent, undefined],
  ['a pattern that expects a value', present, 'body.x'],
  ['a pattern for a plain value', { pattern: { target: 'body.x', condition: 'a' } }, 'body.x'],
  ['a semantic indicator', semantic, 'body.s'],
  ['an expression', { pattern: undefined, expression: { cel: 'true' } }, undefined],
])('findProjectableTarget returns the target by which %s sees views: $2', (_, of, target) => {
  expect(findProjectableTarget({ ...indicator, ...of } as NormalizedIndicator)).toBe(target);
});

describe('createProjector', () => {
  const { actor: __, ...ofNobody } = projection;
  const made = (record: number): Projection => ({ ...ofNobody, path: 'p', record });
  const binding: BindingViews = {
    protocol: 'mcp',
    pieces: () => [],
    activity: () => ({}),
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
  test('makes views by the binding of a protocol that indicators name', () => {
    // A view of this very message belongs to its actor; of another message, the binding has to say whose it is.
    expect(added([binding], mcp, [])).toEqual([
      ['p', 5, 'a'],
      ['p', 4, undefined],
    ]);
  });
  test('makes views by every binding if a target may name them', () => {
    expect(added([binding], none, ['x'])?.length).toBe(2);
  });
  test.each<[title: string, of: readonly BindingViews[], protocols: ReadonlySet<string>]>([
    ['a protocol that no indicator names', [binding], none],
    ['a binding without views', [plain], mcp],
  ])('returns undefined for %s', (___, of, protocols) => {
    expect(createProjector(of, protocols, [])).toBeUndefined();
  });
  test('makes no view of a message of another protocol', () => {
    expect(added([binding], mcp, [], message({ seq: 5, protocol: 'a2a' }))).toEqual([]);
  });
  test.each([
    ['body', true],
    ['body.x', true],
    ['body[0]', true],
    ['bodyguard', false],
  ])('makes a view of the whole message for the target %s: %s', (target, isMade) => {
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
  test('marks a view of our own message as ours', () => {
    const [body] = createProjector([], none, ['body'])?.add({ ...record, origin: 'attacker' }) ?? [];
    expect([body?.own, body?.direction]).toEqual([true, 'response']);
  });
  test('puts the view of the whole message behind those of the binding', () => {
    expect(added([binding], mcp, ['x', 'body'])?.map(([path]) => path)).toEqual(['p', 'p', 'body']);
  });
  test('makes the last views of every binding at the end', () => {
    expect(createProjector([binding, { ...binding, protocol: 'a2a' }], none, ['x'])?.finish().length).toBe(2);
    expect(createProjector([], none, ['body'])?.finish()).toEqual([]);
  });
});

describe('createEchoes', () => {
  const seen: string[] = [];
  const binding = (protocol: string, at: string): BindingViews => ({
    protocol,
    pieces: () => [],
    activity: () => ({}),
    echoes: () => ({
      echoesIn: ({ method }) => {
        seen.push(`${protocol} ${method}`);
        return [{ path: [at] }];
      },
    }),
  });
  const { echoes: _, ...plain } = binding('mcp', 'm');
  const both = [binding('mcp', 'm'), binding('a2a', 'a')];
  const all = new Set(['mcp', 'a2a']);
  test('returns undefined if no binding finds echoes', () => {
    expect(createEchoes([plain], all)).toBeUndefined();
    expect(createEchoes(both, new Set(['ag_ui']))).toBeUndefined();
  });
  test('finds echoes in the agent’s messages by the binding of their protocol', () => {
    const echoes = createEchoes(both, all);
    expect(echoes?.add(message({ protocol: 'a2a' }))).toEqual([{ path: ['a'] }]);
    expect(echoes?.add(message({ protocol: 'mcp' }))).toEqual([{ path: ['m'] }]);
    expect(echoes?.add(message({ protocol: 'mcp', origin: 'attacker' }))).toEqual([]);
    expect(echoes?.add(message({ protocol: 'voice' }))).toEqual([]);
  });
  test('shows every message to every binding', () => {
    seen.length = 0;
    createEchoes(both, all)?.add(message({ protocol: 'voice', method: 'said' }));
    expect(seen).toEqual(['mcp said', 'a2a said']);
  });
  test('finds echoes in views', () => {
    const echoes = createEchoes(both, all);
    const ofBody = echoes?.inProjection(projection, [{ path: ['x', 0], rest: 'r' }]);
    expect(ofBody).toEqual([{ path: ['body', 'x', 0], rest: 'r' }]);
    const other = { ...projection, path: 'p', protocol: 'a2a' };
    expect(echoes?.inProjection(other, [{ path: ['x'] }])).toEqual([]);
    seen.length = 0;
    expect(echoes?.inProjection({ ...other, stream: whole }, [{ path: ['x'] }])).toEqual([{ path: ['a'] }]);
    expect(seen).toEqual(['a2a message']);
    expect(echoes?.inProjection({ ...other, protocol: 'voice', stream: whole }, [])).toEqual([]);
    const further = createEchoes([...both, binding('a2a', 'b')], all);
    expect(further?.inProjection({ ...other, stream: whole }, [])).toEqual([{ path: ['b'] }]);
    expect(further?.add(message({ protocol: 'a2a' }))).toEqual([{ path: ['b'] }]);
    echoes?.inProjection({ ...other, stream: { ...whole, surfaces: [] } }, []);
    expect(seen.at(-1)).toBe('a2a ');
  });
});

test('trackReach knows by protocol and by actor whether a message of the agent was served, or only refused', () => {
  const reach = trackReach();
  const contacts = () => [
    reach.findContact('mcp', undefined),
    reach.findContact('mcp', 'a'),
    reach.findContact('a2a', undefined),
    reach.findContact('mcp', 'b'),
  ];
  reach.add(message({ actor: 'a', origin: 'attacker' }));
  expect(contacts()).toEqual(['none', 'none', 'none', 'none']);
  reach.add(message({ actor: 'a', refused: 'no' }));
  expect(contacts()).toEqual(['refused', 'refused', 'none', 'none']);
  reach.add(message({ actor: 'a' }));
  reach.add(message({ actor: 'a', refused: 'no' }));
  expect(contacts()).toEqual(['served', 'served', 'none', 'none']);
});
