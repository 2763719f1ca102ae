import { describe, expect, test } from 'vitest';
import { formatLeftOutNotice, selectFittingDocuments } from '../../../src/cli/run/addresses/fitting-documents.ts';
import { load } from '../../../src/index.ts';
import type { PlayableDocument } from '../../../src/suite/plan/plan.ts';

/** A document with these server actors, and a user. */
function playable(id: string, ...servers: readonly string[]): PlayableDocument {
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
const reported = [{ isTold: true }];

describe('selectFittingDocuments, for an agent that is already running', () => {
  test.each<[title: string, said: Parameters<typeof selectFittingDocuments>[1], left: readonly string[]]>([
    [
      'one listen address for any server',
      { typed: ['127.0.0.1:8080'], listen: undefined, agents: running },
      ['BOTH-001'],
    ],
    [
      'one listen address for any server in the file',
      { typed: [], listen: { '*': '127.0.0.1:8080' }, agents: running },
      ['BOTH-001'],
    ],
    [
      'a listen address for one server by name',
      { typed: ['shop=127.0.0.1:8080'], listen: undefined, agents: running },
      ['BANK-001', 'BOTH-001'],
    ],
    [
      'listen addresses by a flag and by the file',
      { typed: ['shop=127.0.0.1:8080'], listen: { bank: '127.0.0.1:8081' }, agents: running },
      [],
    ],
    [
      'two servers at the same listen address',
      { typed: ['shop=127.0.0.1:8080', 'bank=127.0.0.1:8080'], listen: undefined, agents: running },
      ['BOTH-001'],
    ],
    ['a listen address without a fixed port', { typed: ['127.0.0.1:0'], listen: undefined, agents: running }, []],
    [
      'a document that was named by its id',
      { typed: ['shop=127.0.0.1:8080'], listen: undefined, agents: running, named: ['BOTH-001'] },
      ['BANK-001'],
    ],
    [
      'a document that was named by its file',
      { typed: ['shop=127.0.0.1:8080'], listen: undefined, agents: running, named: ['BANK-001.yaml'] },
      ['BOTH-001'],
    ],
    ['no listen address', { typed: [], listen: undefined, agents: running }, []],
    [
      'an agent that is configured for each run',
      { typed: ['127.0.0.1:8080'], listen: undefined, agents: reported },
      [],
    ],
    [
      'one running agent of several',
      { typed: ['127.0.0.1:8080'], listen: undefined, agents: [...reported, ...running] },
      ['BOTH-001'],
    ],
  ])('leaves out $2 with %s', (_, said, left) => {
    const { playables, leftOut } = selectFittingDocuments(all, said);
    expect(leftOut.map(({ playable: { document } }) => document.attack.id)).toEqual(left);
    expect(playables).toHaveLength(all.length - left.length);
  });

  test('keeps all documents if none fits, so that the problem is reported', () => {
    const both = all.slice(3);
    const said = { typed: ['127.0.0.1:8080'], listen: undefined, agents: running };
    expect(selectFittingDocuments(both, said)).toEqual({ playables: both, leftOut: [] });
  });

  test('names the documents left out and their servers without an address', () => {
    const { leftOut } = selectFittingDocuments(all, {
      typed: ['127.0.0.1:8080'],
      listen: undefined,
      agents: running,
    });
    expect(formatLeftOutNotice(leftOut, all.length)).toContain('1 of 4 documents is left out');
    expect(formatLeftOutNotice(leftOut, all.length)).toContain('BOTH-001 (bank)');
  });
});
