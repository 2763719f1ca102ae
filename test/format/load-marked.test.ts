import { expect, test } from 'vitest';
import { diagnoseMarked, loadMarked } from '../../src/format/load-marked.ts';

const write = (described: string, name = 'n'): string =>
  `oatf: "0.1"
attack:
  name: ${name}
  execution: { mode: mcp_server, state: { tools: [{ name: t, description: "${described}" }] } }
  indicators: [{ surface: tools/call, target: arguments, pattern: { contains: x } }]
`;

test.each([
  [200, 200, undefined],
  [201, 201, '1 more warning is not listed'],
  [5_000, 201, '4800 more warnings are not listed'],
])('a document with %i warnings is loaded with %i, and the last says how many there are', (number, listed, last) => {
  const loaded = loadMarked(write('{{ x }} '.repeat(number)));
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  expect(loaded.warnings).toHaveLength(listed);
  if (last !== undefined) expect(loaded.warnings.at(-1)?.message).toBe(last);
});

test('the syntax errors of a text that are not reported are mentioned', () => {
  const found = diagnoseMarked(write('x', `"${'\\q'.repeat(3_000)}"`));
  expect(found.map(({ message }) => message)).toContain('only the first 1000 errors of a text are reported');
});
