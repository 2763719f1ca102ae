import { expect, test } from 'vitest';
import { diagnose } from '../../src/index.ts';
import { diagnoseMarked, loadMarked } from '../../src/load-marked.ts';

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
  ['no list', 'shop.card', ['']],
  ['an empty list', '[]', ['']],
  ['no mapping', '[card]', ['[0]']],
  ['no extractors', '[{ actor: shop }]', ['[0]']],
  ['a name alone', '[{ actor: shop, extractors: card }]', ['[0].extractors']],
  ['no actor of the document', '[{ actor: shpo, extractors: [card] }]', ['[0].actor']],
  ['no extractor of the actor', '[{ actor: shop, extractors: [cart] }]', ['[0].extractors[0]']],
  ['another actor’s extractor', '[{ extractors: [card] }]', ['[0].extractors[0]']],
  ['no time', '[{ actor: shop, extractors: [card], within: 10 }]', ['[0].within']],
  ['another word', '[{ actor: shop, extractors: [card], timeout: 10s }]', ['[0].timeout']],
])('%s is an error of oatf validate and run, and none of the SDK’s', (_, awaits, paths) => {
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
])('%s gets a hint', (awaits, hint) => {
  const [found] = errorsOf(document(awaits));
  expect(found?.hint?.endsWith(hint ?? '') ?? 'none').toBe(hint === undefined ? 'none' : true);
  expect('hint' in (found ?? {})).toBe(hint !== undefined);
});

test.each(['[{ actor: shop, extractors: [card] }]', '[{ actor: shop, extractors: [card], within: PT1M }]'])(
  '%s is right',
  (awaits) => {
    expect(errorsOf(document(awaits))).toEqual([]);
    expect(loadMarked(document(awaits)).ok).toBe(true);
  },
);
