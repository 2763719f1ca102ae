import { describe, expect, test } from 'vitest';
import { format } from '../../src/document/format.ts';
import { diagnose, encode, load, parse, serialize } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { stringifyJson } from '../../src/model/json.ts';
import type { Value } from '../../src/model/value.ts';

const documentWith = (value: string): string =>
  `oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state:\n      tools:\n        - { name: a, x: ${value} }\n`;

function toolsOf(text: string): Value | undefined {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const state = loaded.document.attack.execution.actors[0]?.phases[0]?.state as { readonly tools?: Value };
  return state.tools;
}

describe('a number of a document is what JSON spells', () => {
  test.each([
    ...['9007199254740993', '12345678901234567890', '1e400', '-0.0', '1.0', '1', '-1.5'].map((same) => [
      same,
      same,
    ]),
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
  ])('%s is %s', (written, json) => {
    expect(stringifyJson(toolsOf(documentWith(written)))).toBe(`[{"name":"a","x":${json}}]`);
  });
});

describe('a number that is written again reads the same', () => {
  test.each(['9007199254740993', '1e400', '-0.0', '1.0', '{ 10: a, 2: b }'])('%s', (written) => {
    const parsed = parse(documentWith(written));
    if (!parsed.ok) throw new Error('does not parse');
    const formatted = format(documentWith(written));
    const texts = [serialize(parsed.document), formatted.ok ? formatted.text : ''];
    const json = [...texts, stringifyJson(encode('Document', parsed.document as Document))];
    for (const text of json)
      expect(stringifyJson(toolsOf(text))).toBe(stringifyJson(toolsOf(documentWith(written))));
  });
});

describe('O-012: no infinity and no NaN', () => {
  test.each(['.inf', '-.inf', '+.Inf', '.nan', '.NaN'])('%s', (written) => {
    expect(diagnose(documentWith(written))).toMatchObject([
      { code: 'O-012', severity: 'error', path: 'attack.execution.state.tools[0].x' },
    ]);
  });
});

test('where the format itself asks for a number, 50.0 is 50', () => {
  const parsed = parse(
    documentWith('1').replace('attack:\n', 'attack:\n  severity: { level: high, confidence: 50.0 }\n'),
  );
  expect(parsed).toMatchObject({ ok: true, document: { attack: { severity: { confidence: 50 } } } });
});
