import { describe, expect, test } from 'vitest';
import { fittingDocuments, leftOutNotice } from '../../src/cli/run/places/fitting.ts';
import { load } from '../../src/index.ts';
import type { Playable } from '../../src/suite/plan.ts';

/** A document with these server actors, and a user. */
function playable(id: string, ...servers: readonly string[]): Playable {
  const text = JSON.stringify({
    oatf: '0.1',
    attack: {
      id,
      execution: {
        actors: [
          ...servers.map((name) => ({
            name,
            mode: 'mcp_server',
            phases: [{ name: 'p', state: { tools: [] } }],
          })),
          { name: 'user', mode: 'ag_ui_client', phases: [{ name: 'p', state: {} }] },
        ],
      },
    },
  });
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
  return { ...loaded, file: `${id}.yaml`, text };
}

const all = [
  playable('NONE-001'),
  playable('SHOP-001', 'shop'),
  playable('BANK-001', 'bank'),
  playable('BOTH-001', 'shop', 'bank'),
];
const running = [{ isTold: false }];
const told = [{ isTold: true }];

describe('an agent that runs already gets the documents whose servers have a place', () => {
  test.each<[title: string, said: Parameters<typeof fittingDocuments>[1], left: readonly string[]]>([
    ['one place for any', { typed: ['127.0.0.1:8080'], listen: undefined, agents: running }, ['BOTH-001']],
    [
      'one for any in the file',
      { typed: [], listen: { '*': '127.0.0.1:8080' }, agents: running },
      ['BOTH-001'],
    ],
    [
      'one by name',
      { typed: ['shop=127.0.0.1:8080'], listen: undefined, agents: running },
      ['BANK-001', 'BOTH-001'],
    ],
    [
      'a flag and the file',
      { typed: ['shop=127.0.0.1:8080'], listen: { bank: '127.0.0.1:8081' }, agents: running },
      [],
    ],
    [
      'two servers in the same place',
      { typed: ['shop=127.0.0.1:8080', 'bank=127.0.0.1:8080'], listen: undefined, agents: running },
      ['BOTH-001'],
    ],
    [
      'no fixed place: told as of any run',
      { typed: ['127.0.0.1:0'], listen: undefined, agents: running },
      [],
    ],
    [
      'one that was asked for by its id',
      { typed: ['shop=127.0.0.1:8080'], listen: undefined, agents: running, named: ['BOTH-001'] },
      ['BANK-001'],
    ],
    [
      'one that was asked for by its file',
      { typed: ['shop=127.0.0.1:8080'], listen: undefined, agents: running, named: ['BANK-001.yaml'] },
      ['BOTH-001'],
    ],
    ['no place at all', { typed: [], listen: undefined, agents: running }, []],
    ['an agent that is told of each run', { typed: ['127.0.0.1:8080'], listen: undefined, agents: told }, []],
    [
      'one of several agents',
      { typed: ['127.0.0.1:8080'], listen: undefined, agents: [...told, ...running] },
      ['BOTH-001'],
    ],
  ])('%s', (_, said, left) => {
    const { playables, leftOut } = fittingDocuments(all, said);
    expect(leftOut.map(({ playable: { document } }) => document.attack.id)).toEqual(left);
    expect(playables).toHaveLength(all.length - left.length);
  });

  test('if none fits, all are kept, so that the problem is reported', () => {
    const both = all.slice(3);
    const said = { typed: ['127.0.0.1:8080'], listen: undefined, agents: running };
    expect(fittingDocuments(both, said)).toEqual({ playables: both, leftOut: [] });
  });

  test('the others are named, with the servers that have no place', () => {
    const { leftOut } = fittingDocuments(all, {
      typed: ['127.0.0.1:8080'],
      listen: undefined,
      agents: running,
    });
    expect(leftOutNotice(leftOut, all.length)).toContain('1 of 4 documents is left out');
    expect(leftOutNotice(leftOut, all.length)).toContain('BOTH-001 (bank)');
  });
});
