import { describe, expect, test } from 'vitest';
import { formatDocument } from '../../../src/format/document/format.ts';
import type { Document } from '../../../src/format/model/attack-document.ts';
import { stringifyJson } from '../../../src/format/model/json-text-values.ts';
import type { Value } from '../../../src/format/model/value.ts';
import { diagnose, encode, load, parse, serialize } from '../../../src/index.ts';

const documentWith = (value: string): string =>
  `oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state:\n      tools:\n        - { name: a, x: ${value} }\n`;

function toolsOf(text: string): Value | undefined {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const state = loaded.document.attack.execution.actors[0]?.phases[0]?.state as { readonly tools?: Value };
  return state.tools;
}

describe('load, for numbers in YAML', () => {
  test.each([
    ...['9007199254740993', '12345678901234567890', '1e400', '-0.0', '1.0', '1', '-1.5'].map((same) => [same, same]),
    ['+5', '5'],
    ['+9007199254740993', '9007199254740993'],
    ['010', '10'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['.50', '0.50'],
    ['0x1F', '31'],
    ['0o17', '15'],
    ['0xFFFFFFFFFFFFFFFF', '18446744073709551615'],
    ['{ 10: a, 2: b }', '{"10":"a","2":"b"}'],
  ])('reads %s as the JSON %s', (written, json) => {
    expect(stringifyJson(toolsOf(documentWith(written)))).toBe(`[{"name":"a","x":${json}}]`);
  });
});

describe('serialize, format and encode', () => {
  test.each(['9007199254740993', '1e400', '-0.0', '1.0', '{ 10: a, 2: b }'])(
    'keep the number %s as it was written',
    (written) => {
      const parsed = parse(documentWith(written));
      if (!parsed.ok) throw new Error('does not parse');
      const formatted = formatDocument(documentWith(written));
      const texts = [serialize(parsed.document), formatted.ok ? formatted.text : ''];
      const json = [...texts, stringifyJson(encode('Document', parsed.document as Document))];
      for (const text of json) expect(stringifyJson(toolsOf(text))).toBe(stringifyJson(toolsOf(documentWith(written))));
    },
  );
});

describe('diagnose, for numbers that JSON does not have', () => {
  test.each(['.inf', '-.inf', '+.Inf', '.nan', '.NaN'])('reports %s as the error O-012', (written) => {
    expect(diagnose(documentWith(written))).toMatchObject([
      { code: 'O-012', severity: 'error', path: 'attack.execution.state.tools[0].x' },
    ]);
  });
});

test('parse reads the confidence 50.0 as the number 50', () => {
  const parsed = parse(
    documentWith('1').replace('attack:\n', 'attack:\n  severity: { level: high, confidence: 50.0 }\n'),
  );
  expect(parsed).toMatchObject({ ok: true, document: { attack: { severity: { confidence: 50 } } } });
});
