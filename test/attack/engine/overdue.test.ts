import { describe, expect, test } from 'vitest';
import { load } from '../../../src/format/load.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { evaluateTrace, type Value } from '../../../src/index.ts';
import { playVirtually } from '../../support/virtual-run.ts';

// A path that descends at every node exceeds the limit of nodes on any machine.
const endless = '$..[?@..a].b';
function nested(depth: number): Value {
  let value: Value = 0;
  for (let level = 0; level < depth; level++) value = { left: value, list: Array(200).fill(0) };
  return value;
}

const document = {
  oatf: '0.1',
  attack: {
    execution: {
      mode: 'mcp_server',
      phases: [
        {
          name: 'first',
          state: {
            tools: [{ name: 'say', responses: [{ content: [{ type: 'text', text: 'key {{key}}' }] }] }],
          },
          extractors: [
            { name: 'key', source: 'request', type: 'json_path', selector: '$.arguments.key' },
            { name: 'key', source: 'request', type: 'json_path', selector: endless },
          ],
        },
      ],
    },
    indicators: [{ target: 'name', pattern: { contains: 'nothing of the kind' } }],
  },
};
function loaded(): NormalizedDocument {
  const result = load(JSON.stringify(document));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.document;
}
const call = (more: Value) => ({ name: 'say', arguments: { key: 'k', more } });

describe('an extractor that runs out of time on a message', () => {
  test('reports O-107 and gives no old value', async () => {
    const virtual = await playVirtually(loaded());
    expect(virtual.peer().request('tools/call', call(0))).toMatchObject({ content: [{ text: 'key k' }] });
    expect(virtual.peer().request('tools/call', call(nested(60)))).toMatchObject({
      content: [{ text: 'key ' }],
    });
    const { diagnostics } = await virtual.end();
    expect(diagnostics.map(({ code }) => code)).toEqual(['O-107', 'W-004']);
  });

  test('makes the outcome of the trace inconclusive', async () => {
    const virtual = await playVirtually(loaded());
    virtual.peer().request('tools/call', call(nested(60)));
    await virtual.end();
    expect(evaluateTrace(loaded(), virtual.records)).toMatchObject({
      outcome: 'inconclusive',
      causes: expect.arrayContaining([expect.objectContaining({ cause: 'unjudged' })]),
    });
  });
});
