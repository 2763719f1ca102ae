import { formatDocument } from '../../src/format/document/format.ts';
import { diagnose, load } from '../../src/index.ts';
import type { HostileCase } from './case.ts';
import { collectMuch } from './collect.ts';

const head = 'oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state:\n';
const inState = (lines: string): string => `${head}${lines}\n`;
const asState = (flow: string): string => `${head.trimEnd()} ${flow}\n`;
const inText = (text: string): string => inState(`      x-a: "${text}"`);
const keys = (count: number): string =>
  inState(Array.from({ length: count }, (_, index) => `      x-${index}: v`).join('\n'));
const indicator = (block: string): string =>
  `${inState('      tools: []')}  indicators:\n    - target: arguments\n      ${block}\n`;
const extractor = (type: string, selector: string): string =>
  `oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    phases:\n      - state: {tools: []}\n        extractors:\n          - {name: a, source: request, type: ${type}, selector: ${JSON.stringify(selector)}}\n`;

/** Every entry point that reads a text must end; the result is that of `load`. */
function read(text: string): string {
  diagnose(text);
  collectMuch();
  formatDocument(text);
  collectMuch();
  const loaded = load(text);
  if (loaded.ok) return 'ok';
  const [first] = loaded.errors;
  return (first !== undefined && ('kind' in first ? (first.rule ?? first.kind) : first.rule)) || 'nothing';
}

const rows: readonly (readonly [id: string, expected: string, text: () => string])[] = [
  ['nesting 100 000 deep, flow', 'syntax', () => asState('['.repeat(1e5) + ']'.repeat(1e5))],
  ['nesting 100 000 deep, flow maps never closed', 'syntax', () => asState('{a: '.repeat(1e5))],
  ['nesting 100 000 deep, sequences on one line', 'syntax', () => inState(`      ${'- '.repeat(1e5)}x`)],
  ['nesting 100 000 deep, explicit keys', 'syntax', () => inState(`      ${'? '.repeat(1e5)}x`)],
  [
    'nesting 2 000 deep, block',
    'syntax',
    () => inState(Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(6 + depth)}a:`).join('\n')),
  ],
  ['nesting just below the limit', 'ok', () => asState(`{x-a: ${'['.repeat(90)}${']'.repeat(90)}}`)],
  [
    'alias bomb',
    'V-020',
    () =>
      inState(
        ['      x-0: &a0 [x, x]']
          .concat(Array.from({ length: 60 }, (_, n) => `      x-${n + 1}: &a${n + 1} [*a${n}, *a${n}]`))
          .join('\n'),
      ),
  ],
  ['4 000 aliases', 'V-020', () => asState(`{x-a: [&a x${', *a'.repeat(4_000)}]}`)],
  ['160 000 aliases', 'syntax', () => asState(`{x-a: [&a x${', *a'.repeat(16e4)}]}`)],
  ['24 000 unknown fields', 'type_mismatch', () => Array.from({ length: 24_000 }, (_, n) => `f${n}: 1`).join('\n')],
  ['240 000 dashes', 'syntax', () => '-\n'.repeat(240_000)],
  ['120 000 empty maps', 'syntax', () => asState(`{x-a: [${'{},'.repeat(120_000)}]}`)],
  ['an anchor that holds itself', 'V-020', () => asState('&a {x-a: *a}')],
  ['a merge key', 'V-020', () => inState('      <<: {x-a: 1}')],
  ['20 000 keys', 'ok', () => keys(20_000)],
  ['20 000 times the same key', 'syntax', () => inState('      x-a: v\n'.repeat(20_000))],
  ['200 000 keys', 'syntax', () => keys(200_000)],
  ['200 000 keys in flow', 'syntax', () => asState(`{${'a,'.repeat(200_000)}}`)],
  ['a 20 MB document of one string', 'syntax', () => inText('x'.repeat(20_000_000))],
  ['a 20 MB document of lines', 'syntax', () => inState('      - x\n'.repeat(2_500_000))],
  ['a 4 MB string', 'syntax', () => inText('x'.repeat(4_000_000))],
  ['a 2 MB string', 'ok', () => inText('x'.repeat(2_000_000))],
  ['a 2 MB string of escapes', 'ok', () => inText('\\u0041'.repeat(300_000))],
  ['a 2 MB string of spaces', 'ok', () => inText(' '.repeat(2_000_000))],
  ['a 2 MB string over 180 000 lines', 'ok', () => inText('x\n         '.repeat(180_000))],
  ['a 2 MB block of 200 000 lines', 'ok', () => inState(`      x-a: |\n${'        x\n'.repeat(200_000)}`)],
  ['20 MB of empty lines', 'syntax', () => inState(`      x-a: v${'\n'.repeat(20_000_000)}`)],
  ['2 MB of empty lines', 'syntax', () => inState(`      x-a: v${'\n'.repeat(2_000_000)}`)],
  ['2 MB of comments', 'syntax', () => inState(`      x-a: v\n${'#\n'.repeat(1_000_000)}`)],
  ['a 2 MB key', 'syntax', () => `${'x'.repeat(2_000_000)}: 1`],
  ['60 000 YAML documents', 'syntax', () => '---\n'.repeat(60_000)],
  ['60 000 directives', 'ok', () => `${'%TAG !a! b\n'.repeat(60_000)}---\n${inState('      x-a: v')}`],
  ['190 000 commas', 'syntax', () => asState(`[${','.repeat(190_000)}]`)],
  ['190 000 closing brackets', 'syntax', () => ']'.repeat(190_000)],
  ['60 000 colons', 'syntax', () => asState(`{${': '.repeat(60_000)}}`)],
  ['150 000 quotes', 'syntax', () => '"'.repeat(150_000)],
  ['60 000 unknown fields', 'syntax', () => Array.from({ length: 60_000 }, (_, n) => `f${n}: 1`).join('\n')],
  ['NUL', 'syntax', () => inText('\u0000')],
  ['a control character', 'syntax', () => inText('\u001b[31m')],
  ['a lone surrogate', 'syntax', () => inText('\ud800')],
  ['%YAML 1.1', 'syntax', () => `%YAML 1.1\n---\n${inState('      x-a: yes')}`],
  ['!!binary', 'V-020', () => inState('      x-a: !!binary aGVsbG8=')],
  ['!!js/function', 'V-020', () => inState('      x-a: !!js/function "() => 1"')],
  ['100 000 template references', 'ok', () => inText('{{name}}'.repeat(100_000))],
  ['100 000 references to other actors', 'V-032', () => inText('{{a.b}}'.repeat(100_000))],
  ['100 000 openings', 'V-016', () => inText('{{'.repeat(100_000))],
  ['a target of 10 000 segments', 'ok', () => indicator(`pattern: {target: ${path(10_000)}, contains: x}`)],
  ['a target of 10 000 wildcards', 'ok', () => indicator(`pattern: {target: '${wildcards(10_000)}', contains: x}`)],
  ['a predicate path of 500 segments', 'ok', () => trigger(path(500))],
  ['a regex that explodes elsewhere', 'ok', () => indicator("pattern: {regex: '(a+)+$'}")],
  ['a regex of 1 000 000 repeats', 'V-013', () => indicator("pattern: {regex: '((a{1000}){1000})'}")],
  ['a regex of 100 000 characters', 'V-013', () => indicator(`pattern: {regex: '${'a?'.repeat(50_000)}'}`)],
  ['a regex of 8 000 groups', 'V-013', () => indicator(`pattern: {regex: '${group(8_000)}'}`)],
  ['a regex of 1 500 large classes', 'ok', () => indicator(`pattern: {regex: '${'\\pL{1000}|'.repeat(1_500)}x'}`)],
  ['CEL of 8 000 parentheses', 'V-014', () => indicator(`expression: {cel: '${group(8_000)}'}`)],
  ['CEL of 100 000 characters', 'V-014', () => indicator(`expression: {cel: 'true${'||true'.repeat(16_000)}'}`)],
  [
    'CEL of 500 nested loops',
    'V-014',
    () => indicator(`expression: {cel: '${'[1].all(a,'.repeat(500)}true${')'.repeat(500)}'}`),
  ],
  [
    'a JSONPath of 1 300 nested filters',
    'V-015',
    () => extractor('json_path', `$${'[?@'.repeat(1_300)}${']'.repeat(1_300)}`),
  ],
  ['a JSONPath of 100 000 characters', 'V-015', () => extractor('json_path', `$${'.a'.repeat(50_000)}`)],
  ['an extractor regex of 8 000 groups', 'V-013', () => extractor('regex', group(8_000))],
  [
    '2 000 indicators',
    'ok',
    () =>
      `${inState('      tools: []')}  indicators:\n${"    - {target: a, pattern: {regex: '(a|b)+c'}}\n".repeat(2_000)}`,
  ],
  [
    '2 000 broken indicators',
    'V-013',
    () => `${inState('      tools: []')}  indicators:\n${"    - {target: a, pattern: {regex: '('}}\n".repeat(2_000)}`,
  ],
];

function path(segments: number): string {
  return Array.from({ length: segments }, () => 'a').join('.');
}

function wildcards(segments: number): string {
  return Array.from({ length: segments }, () => 'a[*]').join('.');
}

function group(depth: number): string {
  return `${'('.repeat(depth)}${')'.repeat(depth)}`;
}

function trigger(key: string): string {
  return `oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    phases:\n      - state: {tools: []}\n        trigger: {event: tools/call, match: {${key}: 1}}\n`;
}

export const documentCases: readonly HostileCase[] = rows.map(([id, expected, text]) => ({
  id: `document: ${id}`,
  expected,
  run: () => read(text()),
}));
