import { describe, expect, test } from 'vitest';
import { diagnose, load, parse, serialize, stringifyJson, type Value } from '../../../src/index.ts';

// YAML 1.2 §5.1: quoted scalars may contain every character that JSON allows in a string; nothing else may.

const head = 'oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state:\n';
const held = ['\u007f', '\u0080', '\u009b', '\u009f', '\ufffe', '\uffff'];

function stateOf(text: string): Value | undefined {
  const loaded = load(text);
  return loaded.ok ? loaded.document.attack.execution.actors[0]?.phases[0]?.state : null;
}

describe('load', () => {
  test.each<[where: string, write: (character: string) => string, value: (character: string) => Value]>([
    ['a double-quoted value', (c) => `      x: "a${c}b"\n`, (c) => ({ x: `a${c}b` })],
    ['a single-quoted value', (c) => `      x: 'a${c}b'\n`, (c) => ({ x: `a${c}b` })],
    ['a quoted key', (c) => `      "a${c}": 1\n`, (c) => ({ [`a${c}`]: 1 })],
    ['a quoted value over two lines', (c) => `      x: "a${c}\n        b"\n`, (c) => ({ x: `a${c} b` })],
    ['a quoted value in a flow mapping', (c) => `      { x: ['${c}'] }\n`, (c) => ({ x: [c] })],
  ])('keeps characters from U+007F to U+009F in %s', (_, write, value) => {
    for (const character of held) expect(stateOf(head + write(character))).toEqual(value(character));
  });

  test('keeps U+0085, which is printable, everywhere', () => {
    expect(stateOf(`${head}      x: a\u0085b\n`)).toEqual({ x: 'a\u0085b' });
  });
});

describe('diagnose', () => {
  test.each<[where: string, text: string]>([
    ['a plain value', 'x: a\u009bb'],
    ['a plain value after a quoted one', 'x: ["\u009b", \u009b]'],
    ['a plain value that contains quotes', 'x: a "\u009b"'],
    ['a plain value that begins after a quotation mark of another', "x: ''\n      y: \u009b''"],
    ['a plain key', 'a\u009b: 1'],
    ['a block scalar', 'x: |\n        "\u009b"'],
    ['a comment', 'x: 1 # "\u009b"'],
  ])('refuses U+009B in %s, and points to it', (_, text) => {
    const whole = `${head}      ${text}\n`;
    const [first, ...more] = diagnose(whole);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ code: 'syntax', message: 'control character U+009B is allowed only in quotes' });
    expect(first?.range.start.offset).toBe(whole.lastIndexOf('\u009b'));
  });

  test.each(['\u0000', '\u0007', '\u001b', '\ud800'])('refuses %j in quotes, too', (character) => {
    expect(diagnose(`${head}      x: "${character}"\n`).map(({ code }) => code)).toEqual(['syntax']);
  });
});

test('serialize writes characters as escapes that it has read from quotes', () => {
  const parsed = parse(`${head}      x: "${held.join('')}"\n`);
  if (!parsed.ok) throw new Error(stringifyJson(parsed.errors as unknown as Value));
  expect(serialize(parsed.document)).toContain('x: "\\u007f\\u0080\\u009b\\u009f\\ufffe\\uffff"');
});
