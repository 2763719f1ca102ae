import { expect, test } from 'vitest';
import { mutantsOf, mutated } from '../../../scripts/mutants/mutants-of.ts';

const rows: [what: string, text: string, changed: string[]][] = [
  ['changes comparisons', 'const x = a === b;', ['const x = a !== b;']],
  ['changes bounds', 'const x = a <= b;', ['const x = a < b;']],
  ['swaps && and ||', 'const x = a && b;', ['const x = a || b;']],
  ['drops the fallback of ??', 'const x = a ?? b;', ['const x = a;']],
  ['drops negations', 'const x = !a;', ['const x = a;']],
  ['decides conditions and drops what depends on them', 'if (a) b;', ['if (true) b;', 'if (false) b;', 'if (a) ;']],
  ['decides choices', 'const x = a ? b : c;', ['const x = true ? b : c;', 'const x = false ? b : c;']],
  ['drops statements', 'f(a);', [';']],
  ['adds one to numbers', 'const x = 1;', ['const x = (1 + 1);']],
  ['turns sums into differences', 'const x = a + b;', ['const x = a - b;']],
  ['leaves the joining of texts alone', "const x = 'a b' + c;", []],
  ['empties a text that is one word', "const x = 'word';", ["const x = '';"]],
  ['leaves texts of several words alone', "const x = 'two words';", []],
  ['leaves keys alone', "const x = { 'a-b': c };", []],
  ['swaps true and false', 'const x = true;', ['const x = false;']],
  ['empties lists', 'const x = [a];', ['const x = [];']],
  ['swaps some and every', 'const x = a.some(b);', ['const x = a.every(b);']],
  ['leaves types alone', "type A = 'x' | 1; interface B { readonly c: true }", []],
  ['leaves imports and exports alone', "import { a } from './a.ts'; export { b } from './b.ts';", []],
];
test.each(rows)('mutantsOf %s', (_, text, changed) => {
  expect(mutantsOf('a.ts', text).map((mutant) => mutated(text, mutant))).toEqual(changed);
});
