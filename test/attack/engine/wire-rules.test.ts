import { describe, expect, test } from 'vitest';
import { compileWire, listUnfiredRules } from '../../../src/attack/engine/match-wire-rules.ts';
import type { Value } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';
import { playVirtually } from '../../support/virtual-run.ts';

// The rules of a phase, as they are read, and to which messages each applies.

function rulesOf(...written: readonly (Value | undefined)[]) {
  const phases = written.map((rules, index) => ({
    state: {},
    ...(rules !== undefined && { 'x-wire': rules }),
    ...(index < written.length - 1 && { trigger: { event: 'tools/call' } }),
  }));
  const { execution } = documentWith({ execution: { mode: 'mcp_server', phases } }).attack;
  const [actor] = execution.actors;
  if (actor === undefined) throw new Error('there is an actor');
  return compileWire(execution, actor, written.length - 1, (name) => (name === 'Old' ? 'tools/call' : name));
}
const drop = { drop: true };

describe('compileWire', () => {
  test.each<[readonly (Value | undefined)[], readonly string[] | undefined]>([
    [[undefined], undefined],
    [[[]], undefined],
    [['odd'], undefined],
    [[['odd', { drop: true }, { on: 5 }]], undefined],
    [[['odd', { on: 'x', ...drop }]], ['/phases/0/x-wire/1']],
    [[[{ on: 'x', ...drop }], undefined], ['/phases/0/x-wire/0']],
    [[[{ on: 'x', ...drop }], []], undefined],
    [[[{ on: 'x', ...drop }], [{ on: 'y', ...drop }]], ['/phases/1/x-wire/0']],
  ])('reads from the phases %j the rules %j', (written, pointers) => {
    expect(rulesOf(...written)?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test('separates the parts of a rule and uses the current name of its operation', () => {
    expect(rulesOf([{ on: 'Old', when: { a: 1 }, nth: 2, times: 3, delay: '1s' }])).toEqual([
      {
        pointer: '/phases/0/x-wire/0',
        on: 'tools/call',
        when: { a: 1 },
        nth: 2,
        times: 3,
        actions: { delay: '1s' },
      },
    ]);
    expect(rulesOf([{ on: 'x', when: 'odd', nth: '2', times: null }])).toEqual([
      {
        pointer: '/phases/0/x-wire/0',
        on: 'x',
        when: undefined,
        nth: undefined,
        times: undefined,
        actions: {},
      },
    ]);
  });

  test('lists in listUnfiredRules each rule that was never applied once', () => {
    const rule = (pointer: string) => ({ pointer }) as never;
    const phases = [{ wire: [rule('a'), rule('b')] }, { wire: undefined }, { wire: [rule('b'), rule('c')] }];
    const left = listUnfiredRules(phases, { fitted: new Map(), fired: new Set(['a']) });
    expect(left.map(({ pointer }) => pointer)).toEqual(['b', 'c']);
  });
});

describe('an x-wire rule of an MCP server', () => {
  const tools = [{ name: 't', responses: [{ content: [] }] }];
  const error = { code: 1, message: 'no' };
  const answers = async (rule: object, ...names: readonly string[]) => {
    const phase = { state: { tools }, 'x-wire': [{ on: 'tools/call', error, ...rule }] };
    const virtual = await playVirtually(documentWith({ execution: { mode: 'mcp_server', phases: [phase] } }));
    return names.map((query) => {
      const said = virtual.peer().request('tools/call', { name: 't', arguments: { query } });
      return Object.hasOwn(said as object, 'code') ? 'ruled' : 'plain';
    });
  };
  test.each<[object, readonly string[], string]>([
    [{}, ['a', 'b'], 'ruled ruled'],
    [{ nth: 1 }, ['a', 'b'], 'ruled plain'],
    [{ nth: 2 }, ['a', 'b', 'c'], 'plain ruled plain'],
    [{ times: 1 }, ['a', 'b'], 'ruled plain'],
    [{ when: { 'arguments.query': 'a' } }, ['a', 'b', 'a'], 'ruled plain ruled'],
    [{ when: { 'arguments.query': 'a' }, nth: 2 }, ['a', 'b', 'a'], 'plain plain ruled'],
    [{ on: '*' }, ['a'], 'ruled'],
    [{ on: 'tools/list' }, ['a'], 'plain'],
  ])('applies with %j to calls for %j as: %s', async (rule, names, expected) => {
    expect((await answers(rule, ...names)).join(' ')).toBe(expected);
  });

  test('applies the id of the previous answer', async () => {
    const phase = { state: { tools }, 'x-wire': [{ on: 'tools/call', nth: 2, id: { of: 'previous' } }] };
    const virtual = await playVirtually(documentWith({ execution: { mode: 'mcp_server', phases: [phase] } }));
    for (let call = 0; call < 2; call += 1) virtual.peer().request('tools/call', { name: 't', arguments: {} });
    virtual.run.stop();
    const { diagnostics } = await virtual.run.ended;
    // The transport of tests cannot do it, but it was ordered.
    expect(diagnostics.map(({ code }) => code)).toEqual(['O-116']);
  });
});
