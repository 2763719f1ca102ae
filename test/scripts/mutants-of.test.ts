import { expect, test } from 'vitest';
import { mutantsOf, mutated } from '../../scripts/mutants/mutants-of.ts';

const rows: [what: string, text: string, changed: string[]][] = [
  ['comparisons', 'const x = a === b;', ['const x = a !== b;']],
  ['bounds', 'const x = a <= b;', ['const x = a < b;']],
  ['logic', 'const x = a && b;', ['const x = a || b;']],
  ['what is taken for nothing', 'const x = a ?? b;', ['const x = a;']],
  ['negations', 'const x = !a;', ['const x = a;']],
  ['conditions', 'if (a) b;', ['if (true) b;', 'if (false) b;', 'if (a) ;']],
  ['choices', 'const x = a ? b : c;', ['const x = true ? b : c;', 'const x = false ? b : c;']],
  ['statements', 'f(a);', [';']],
  ['numbers', 'const x = 1;', ['const x = (1 + 1);']],
  ['sums', 'const x = a + b;', ['const x = a - b;']],
  ['texts that are joined', "const x = 'a b' + c;", []],
  ['words', "const x = 'word';", ["const x = '';"]],
  ['texts for people', "const x = 'two words';", []],
  ['keys', "const x = { 'a-b': c };", []],
  ['truth', 'const x = true;', ['const x = false;']],
  ['lists', 'const x = [a];', ['const x = [];']],
  ['methods', 'const x = a.some(b);', ['const x = a.every(b);']],
  ['nothing of types', "type A = 'x' | 1; interface B { readonly c: true }", []],
  ['nothing of imports', "import { a } from './a.ts'; export { b } from './b.ts';", []],
];
test.each(rows)('%s', (_, text, changed) => {
  expect(mutantsOf('a.ts', text).map((mutant) => mutated(text, mutant))).toEqual(changed);
});
