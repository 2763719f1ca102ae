import { describe, expect, test } from 'vitest';
import { makeVariant, type VariantEdits } from '../../../src/format/extensions/document-variant.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';

const state = '{instructions: One., tools: [{name: a}, {name: b, description: Old.}, {name: c, description: New.}]}';
const text = (payload: string) =>
  `oatf: "0.1"\nattack:\n  name: N\n  execution:\n    mode: mcp_server\n    state: ${state}\n  x-payload: ${payload}\n`;

function vary(payload: string, edits: Partial<VariantEdits>) {
  const loaded = loadMarked(text(payload));
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
  const variant = makeVariant(text(payload), loaded.marks ?? [], {
    benign: new Set(),
    nameSuffix: ' (less)',
    ...edits,
  });
  if (!variant.ok) throw new Error('the variant does not load');
  const again = loadMarked(variant.write());
  if (!again.ok) throw new Error(again.errors.map(({ message }) => message).join('\n'));
  const { name, execution } = variant.document.attack;
  return { name, state: execution.actors[0]?.phases[0]?.state, marks: again.marks };
}

const base = { actor: 'default', phase: 'phase-1', needed: true };

describe('a variant of a document', () => {
  test('has the honest value at the chosen marks only, keeps the other marks, and says so in its name', () => {
    const payload = '[{at: /state/instructions, benign: Fine.}, {at: /state/tools/1/description, benign: Honest.}]';
    expect(vary(payload, { benign: new Set([0]) })).toEqual({
      name: 'N (less)',
      state: {
        instructions: 'Fine.',
        tools: [{ name: 'a' }, { name: 'b', description: 'Old.' }, { name: 'c', description: 'New.' }],
      },
      marks: [{ ...base, at: '/state/tools/1/description', benign: 'Honest.' }],
    });
  });

  test('corrects the pointers of marks behind an item that is removed from a list', () => {
    const payload = '[{at: /state/tools/0}, {at: /state/tools/1}, {at: /state/tools/2/description}]';
    const { marks } = vary(payload, { benign: new Set([0, 1]) });
    expect(marks).toEqual([{ ...base, at: '/state/tools/0/description' }]);
  });

  test('has no marks if none of those that are left is needed', () => {
    const payload = '[{at: /state/instructions}, {at: /state/tools/2, needed: false}]';
    expect(vary(payload, { benign: new Set([0]) }).marks).toBeUndefined();
  });

  test('has other texts within a marked value where they are given', () => {
    const payload = '[{at: /state/tools/1}, {at: /state/instructions}]';
    const texts = [
      { mark: 0, keys: ['description'], text: 'Shorter: "x".' },
      { mark: 1, keys: [], text: '' },
    ];
    const { state: changed, marks } = vary(payload, { texts });
    expect(changed).toEqual({
      instructions: '',
      tools: [{ name: 'a' }, { name: 'b', description: 'Shorter: "x".' }, { name: 'c', description: 'New.' }],
    });
    expect(marks).toHaveLength(2);
  });

  test('is refused with its errors if it does not load', () => {
    const payload = '[{at: /state}]';
    const made = makeVariant(text(payload), [{ ...base, at: '/state', benign: 'a text' }], {
      benign: new Set([0]),
      nameSuffix: '',
    });
    expect(made.ok).toBe(false);
  });
});
