import { expect, test } from 'vitest';
import { diagnoseMarked, loadMarked } from '../../../src/format/load-marked.ts';
import { diagnose } from '../../../src/index.ts';

const document = (awaits: string) => `oatf: "0.1"
attack:
  execution:
    actors:
      - name: shop
        mode: mcp_server
        phases:
          - state: { tools: [] }
            extractors: [{ name: card, source: request, type: json_path, selector: $.a }]
      - name: caller
        mode: a2a_client
        phases:
          - x-await: ${awaits}
            state: { actions: [] }
`;
const errorsOf = (text: string) => diagnoseMarked(text).filter(({ severity }) => severity === 'error');

test.each<[string, string, string[]]>([
  ['that is no list', 'shop.card', ['']],
  ['that is an empty list', '[]', ['']],
  ['whose entry is no mapping', '[card]', ['[0]']],
  ['whose entry names no extractors', '[{ actor: shop }]', ['[0]']],
  ['whose extractors are a name instead of a list', '[{ actor: shop, extractors: card }]', ['[0].extractors']],
  ['that names an actor the document does not have', '[{ actor: shpo, extractors: [card] }]', ['[0].actor']],
  ['that names an extractor the actor does not have', '[{ actor: shop, extractors: [cart] }]', ['[0].extractors[0]']],
  ['that names an extractor of another actor', '[{ extractors: [card] }]', ['[0].extractors[0]']],
  ['whose time limit is no duration', '[{ actor: shop, extractors: [card], within: 10 }]', ['[0].within']],
  ['that has an unknown key', '[{ actor: shop, extractors: [card], timeout: 10s }]', ['[0].timeout']],
])('an x-await %s is an error (O-206) of oatf validate and run, but not of the SDK', (_, awaits, paths) => {
  const text = document(awaits);
  const found = errorsOf(text);
  const at = 'attack.execution.actors[1].phases[0].x-await';
  expect(found.map(({ code, path }) => [code, path])).toEqual(paths.map((path) => ['O-206', at + path]));
  expect(loadMarked(text)).toEqual({ ok: false, errors: found });
  expect(diagnose(text).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each<[string, string | undefined]>([
  ['[{ actor: shopp, extractors: [card] }]', 'did you mean `shop`?'],
  ['[{ actor: nobody, extractors: [card] }]', ' shop, caller'],
  ['[{ actor: shop, extractors: [cart] }]', 'did you mean `card`?'],
  ['[{ actor: caller, extractors: [card] }]', undefined],
  ['[{ actor: shop }]', 'such as [card]'],
  ['[{ actor: caller }]', 'such as [name]'],
])('the error of the x-await %s ends with the right hint, or has none', (awaits, hint) => {
  const [found] = errorsOf(document(awaits));
  expect(found?.hint?.endsWith(hint ?? '') ?? 'none').toBe(hint === undefined ? 'none' : true);
  expect('hint' in (found ?? {})).toBe(hint !== undefined);
});

test.each(['[{ actor: shop, extractors: [card] }]', '[{ actor: shop, extractors: [card], within: PT1M }]'])(
  'the x-await %s is valid',
  (awaits) => {
    expect(errorsOf(document(awaits))).toEqual([]);
    expect(loadMarked(document(awaits)).ok).toBe(true);
  },
);
