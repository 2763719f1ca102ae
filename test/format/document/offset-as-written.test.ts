import { expect, test } from 'vitest';
import { diagnose } from '../../../src/index.ts';

// A CEL error is reported at its character, however the expression is written in YAML.

function pointedAt(cel: string): string {
  const text = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [{ name: a, description: b }] }
  indicators:
    - surface: tools/call
      target: arguments
      expression:
        cel: ${cel}
`;
  const found = diagnose(text).find(({ code }) => code === 'V-014');
  if (found === undefined) throw new Error('nothing is wrong');
  const { start, end } = found.range;
  return `${text.slice(start.offset, end.offset)}|${text.slice(end.offset).split('\n')[0]}`;
}

test.each<[how: string, cel: string, pointed: string]>([
  ['a plain scalar', 'message.name == "a" @ b', '@| b'],
  ['a plain scalar over two lines', 'message.name ==\n          "a" @ b', '@| b'],
  ['single quotes', `'message.name == ''a'' @ b'`, `@| b'`],
  ['double quotes', '"message.name == \\"a\\" @ b"', '@| b"'],
  ['a literal block', '|\n          message.name ==\n            "a"\n          @ b', '@| b'],
  ['a folded block', '>-\n          message.name ==\n          "a" @ b', '@| b'],
  ['an empty text', '""', '"|'],
  ['an escape that stands for white space', '"message.name ==\\t1 @ b"', '"message.name ==\\t1 @ b"|'],
])('diagnose points at the wrong character of CEL written as %s', (_, cel, pointed) => {
  expect(pointedAt(cel)).toBe(pointed);
});

test('diagnose says which CEL token was found and adds no position of the CEL parser', () => {
  const text =
    'oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state: {}\n  indicators:\n    - target: a\n      expression: { cel: "a @" }\n';
  expect(diagnose(text).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^CEL does not parse: found @/),
  );
});
