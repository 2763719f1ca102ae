import { describe, expect, test } from 'vitest';
import { parse as readYaml } from 'yaml';
import { makeBenignTwin } from '../../../src/format/extensions/document-variant.ts';
import { diagnoseMarked, loadMarked } from '../../../src/format/load-marked.ts';

/** Two tools, with the given marks and generated values. */
function documentWith(payload: readonly object[], generate: readonly object[]): string {
  const state = {
    tools: [
      { name: 'one', description: 'First.' },
      { name: 'two', description: 'Second.' },
    ],
  };
  const execution = { mode: 'mcp_server', state, 'x-generate': generate };
  return JSON.stringify({ oatf: '0.1', attack: { name: 'Twin', execution, 'x-payload': payload } });
}

function twinOf(text: string) {
  const loaded = loadMarked(text);
  if (!loaded.ok || loaded.marks === undefined) throw new Error('it does not load');
  const twin = makeBenignTwin(text, loaded.marks);
  if (!twin.ok) throw new Error('there is no twin');
  return readYaml(twin.write()).attack.execution;
}

describe('the benign twin of a document with x-generate', () => {
  test('generates nothing at or inside a marked place', () => {
    const made = [
      { at: '/state/tools/0/description', kind: 'text' },
      { at: '/state/tools/1/description', kind: 'noise' },
    ];
    const text = documentWith([{ at: '/state/tools/0', benign: { name: 'one' } }], made);
    expect(twinOf(text)['x-generate']).toEqual([made[1]]);
  });

  test('has no x-generate if no entry is left', () => {
    const at = '/state/tools/0/description';
    const text = documentWith([{ at, benign: 'First.' }], [{ at, kind: 'text' }]);
    expect(twinOf(text)).not.toHaveProperty('x-generate');
  });

  test('is reported as O-205 if a removal shifts the place of an entry', () => {
    const text = documentWith([{ at: '/state/tools/0' }], [{ at: '/state/tools/1/description', kind: 'text' }]);
    expect(diagnoseMarked(text).map(({ code }) => code)).toContain('O-205');
  });
});
