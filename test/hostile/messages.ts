import {
  createCelEvaluator,
  evaluateCondition,
  evaluateExpression,
  evaluateExtractor,
  evaluatePattern,
  evaluatePredicate,
  interpolateTemplate,
  interpolateValue,
  isEvaluationError,
  load,
  resolveSimplePath,
  resolveWildcardPath,
  selectResponse,
  traceEvaluator,
  type Value,
} from '../../src/index.ts';
import type { HostileCase } from './case.ts';

/** JSON.parse reads this without recursion, so a peer can send it. */
const nested = (inner: string, depth = 100_000): Value =>
  JSON.parse(`${'['.repeat(depth)}${inner}${']'.repeat(depth)}`);
const nestedMaps = (depth = 100_000): Value => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
const numbers = (length: number): Value => Array.from({ length }, (_, index) => index);
const lone = (depth: number): Value => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);

function cel(expression: string, message: Value, steps?: number): string {
  const result = evaluateExpression({ cel: expression }, message, createCelEvaluator(steps));
  return isEvaluationError(result) ? result.kind : String(result);
}

function jsonPath(selector: string, message: Value): string {
  return shortened(
    evaluateExtractor({ name: 'a', source: 'request', type: 'json_path', selector }, message, 'request'),
  );
}

function regexExtractor(selector: string, message: Value): string {
  return shortened(evaluateExtractor({ name: 'a', source: 'request', type: 'regex', selector }, message, 'request'));
}

function pattern(condition: Value, message: Value, target = ''): string {
  const result = evaluatePattern({ target, condition }, message);
  return isEvaluationError(result) ? result.kind : String(result);
}

function shortened(text: string | undefined): string {
  return text === undefined ? 'nothing' : text.slice(0, 40);
}

/** The first expression explodes in a backtracking engine; no prefix of the text can decide the second. */
const explosive = ['(a+)+$', '(a|aa)+$', '(.*)*[xy]', '([a-z]+)*[=:]', '(a?){50}a{50}[bc]'];
const fiveMegabytes = 'a'.repeat(5_000_000);

/** Each loop doubles the result of the one before it. */
const doubled = (seed: string, step: string, end: string): string => `[${seed}]${step.repeat(60)}${end}`;

const rows: readonly (readonly [id: string, expected: string, run: () => string])[] = [
  ['100 000 deep: equality', 'true', () => String(evaluateCondition(nested('1'), nested('1')))],
  ['100 000 deep: equality of maps', 'true', () => String(evaluateCondition(nestedMaps(), nestedMaps()))],
  ['100 000 deep: any_of', 'false', () => String(evaluateCondition({ any_of: [nested('1')] }, nested('2')))],
  ['100 000 deep: contains', 'true', () => String(evaluateCondition({ contains: 'x' }, nested('"x"')))],
  ['100 000 deep: pattern', 'true', () => pattern({ regex: 'x' }, { a: nested('"x"') }, 'a')],
  ['100 000 deep: predicate', 'false', () => String(evaluatePredicate({ 'a.b': 1 }, nestedMaps()))],
  ['100 000 deep: templates', 'ok', () => (interpolateValue(nested('"{{n}}"'), { n: 'x' }) ? 'ok' : '')],
  [
    '100 000 deep: a template’s value',
    '200001',
    () => String(interpolateTemplate('{{n}}', { n: nested('1') }).text.length),
  ],
  ['100 000 deep: regex extractor', 'x', () => regexExtractor('(x)', nested('"x"'))],
  ['100 000 deep: JSONPath child', '1', () => jsonPath('$.b', { b: 1, a: nested('1') })],
  ['100 000 deep: JSONPath descent', 'nothing', () => jsonPath('$..b', nested('1'))],
  ['100 000 deep: JSONPath comparison', 'nothing', () => jsonPath('$[?@ == $[0]].b', [nested('1'), nested('1')])],
  ['100 000 deep: CEL equality', 'cel_error', () => cel('message.a == message.b', { a: nested('1'), b: nested('1') })],
  ['100 000 deep: CEL result', 'type_error', () => cel('message', nested('1'))],
  [
    '100 000 deep: response selection',
    'yes',
    () => selectResponse([{ when: { a: nested('2') }, x: 'no' }, { x: 'yes' }], { a: nested('1') })?.x ?? '',
  ],
  ['100 000 deep: a whole trace', 'not_exploited', () => traceOf(nested('"x"'))],
  [
    'a path of 10 000 segments',
    'nothing',
    () => shortened(resolveSimplePath('a.'.repeat(10_000), nestedMaps()) as string | undefined),
  ],
  ['a path of 10 000 wildcards', '0', () => String(resolveWildcardPath('a[*].'.repeat(10_000), nestedMaps()).length)],
  [
    'a path that fans out to 1 000 000 values',
    '1000000',
    () => String(resolveWildcardPath('a[*].b[*]', { a: Array(1_000).fill({ b: Array(1_000).fill(1) }) }).length),
  ],
  [
    '100 000 template references',
    '100000',
    () => String(interpolateTemplate('{{n}}'.repeat(100_000), { n: 'x' }).text.length),
  ],
  [
    '100 000 references that do not resolve',
    '100000',
    () => String(interpolateTemplate('{{n}}'.repeat(100_000), {}).diagnostics.length),
  ],
  ['100 000 openings', '200000', () => String(interpolateTemplate('{{'.repeat(100_000), {}).text.length)],
  ...explosive.flatMap((regex) => [
    [`${regex} on 5 MB`, 'ended', () => ended(pattern({ regex }, `${fiveMegabytes}!`))] as const,
    [
      `${regex} as a CEL match on 5 MB`,
      'ended',
      () => ended(cel(`message.matches('${regex}')`, `${fiveMegabytes}!`)),
    ] as const,
    [
      `(${regex}) as an extractor on 5 MB`,
      'ended',
      () => ended(regexExtractor(`(${regex})`, `${fiveMegabytes}!`)),
    ] as const,
  ]),
  [
    'a regex over every message of a list',
    'ended',
    () => ended(pattern({ regex: '([a-z]+)*[=:]' }, { a: Array(200).fill('a'.repeat(100_000)) }, 'a[*]')),
  ],
  [
    'CEL: nested exists over 1 000 000 items',
    'cel_error',
    () => cel('message.exists(a, message.exists(b, a + b < 0))', numbers(1_000_000)),
  ],
  [
    'CEL: three loops over 1 000 000 items',
    'cel_error',
    () => cel('message.all(a, message.all(b, message.all(c, a + b + c >= 0)))', numbers(1_000_000)),
  ],
  [
    'CEL: a list built for every item',
    'cel_error',
    () => cel('message.map(a, message.map(b, [a, b])) == []', numbers(100_000)),
  ],
  [
    'CEL: large lists compared for every item',
    'cel_error',
    () => cel('message.exists(x, message != message.map(y, y))', numbers(50_000)),
  ],
  ['CEL: searched for every item', 'cel_error', () => cel('message.all(x, !(-1 in message))', numbers(1_000_000))],
  [
    'CEL: a regex for every item',
    'cel_error',
    () => cel("message.exists(x, x.matches('(a|b|aa)*[cd]$'))", Array(1_000).fill('a'.repeat(100_000))),
  ],
  [
    'CEL: regexes from the message',
    'cel_error',
    () =>
      cel(
        "message.exists(x, 'a'.matches(x))",
        Array.from({ length: 1_000 }, (_, n) => `${'\\pL{1000}|'.repeat(300)}${n}`),
      ),
  ],
  [
    'CEL: a text doubled 60 times',
    'cel_error',
    () => cel(doubled("'aaaaaaaa'", '.map(x, x + x)', '.exists(x, size(x) == 1)'), null),
  ],
  [
    'CEL: a list doubled 60 times',
    'cel_error',
    () => cel(doubled('[1, 2]', '.map(x, x + x)', '.exists(x, 3 in x)'), null),
  ],
  [
    'CEL: bytes doubled 60 times',
    'cel_error',
    () => cel(doubled("b'aaaaaaaa'", '.map(x, x + x)', '.exists(x, size(x) == 1)'), null),
  ],
  [
    'CEL: pairs of pairs, 60 levels, compared',
    'cel_error',
    () =>
      cel(
        doubled('[1]', '.map(x, [x, x])', `.exists(x, ${doubled('[1]', '.map(y, [y, y])', '.exists(y, x == y)')})`),
        null,
      ),
  ],
  [
    'CEL: pairs of pairs, 60 levels, as the result',
    'type_error',
    // Its own time limit must not come first, however busy the machine is.
    () => cel(doubled('[1]', '.map(x, [x, x])', ''), null, 1_000_000_000),
  ],
  ['CEL: a number of 5 000 000 digits', 'cel_error', () => cel('int(message) == 1', '9'.repeat(5_000_000))],
  ['CEL: the size of a 5 MB text', 'true', () => cel('size(message) == 5000000', fiveMegabytes)],
  [
    'CEL: 5 000 items mapped, then looked through',
    'false',
    () => cel('message.map(x, x + 1).exists(y, y == -1)', numbers(5_000), 1_000_000_000),
  ],
  ['JSONPath: filters under every node', 'nothing', () => jsonPath('$..[?@..a]', Array(20_000).fill({ b: 1 }))],
  ['JSONPath: descent of descent', 'nothing', () => jsonPath('$..*..*..*..*..zz', Array(500).fill([[[[[1]]]]]))],
  [
    'JSONPath: the root again for every node',
    'nothing',
    () => jsonPath('$..[?$..[?$..[?$..a]]]', Array(2_000).fill({ b: 1 })),
  ],
  ['JSONPath: 2 to the 60th node', 'nothing', () => jsonPath(`$${'[*,*]'.repeat(60)}.a`, lone(62))],
  [
    'JSONPath: large values compared for every node',
    'nothing',
    () =>
      jsonPath('$.l[?$.a == $.b && @ == -1]', {
        l: numbers(100_000),
        a: numbers(100_000),
        b: numbers(100_000),
      }),
  ],
  [
    'JSONPath: a long text measured for every node',
    'nothing',
    () => jsonPath('$.l[?length($.a) < 0]', { l: numbers(100_000), a: fiveMegabytes }),
  ],
  [
    'JSONPath: a regex for every node',
    'nothing',
    () => jsonPath("$[?search(@, '([a-z]+)*[=:]')]", Array(1_000).fill('a'.repeat(100_000))),
  ],
  ['JSONPath: all nodes counted for every node', 'nothing', () => jsonPath('$[?count($..*) < 0]', numbers(50_000))],
  ['JSONPath: 4 000 negations', 'nothing', () => jsonPath(`$[?${'!'.repeat(4_000)}@.a]`, [1])],
];

/** Depending on the machine, a search is cut off or finishes; it must not go on. */
function ended(outcome: string): string {
  return ['true', 'false', 'nothing', 'regex_timeout', 'cel_error'].includes(outcome) || /^a+!?$/.test(outcome)
    ? 'ended'
    : outcome;
}

function traceOf(content: Value): string {
  const indicators = [
    { target: '', pattern: { regex: 'no such' } },
    { target: 'a[*].b', pattern: { condition: 1 } },
    { target: '', expression: { cel: 'size(message) == 7' } },
    { target: 'body', pattern: { contains: 'no such' } },
  ];
  const loaded = load(
    JSON.stringify({
      oatf: '0.1',
      attack: { execution: { mode: 'mcp_server', state: { tools: [] } }, indicators },
    }),
  );
  if (!loaded.ok) return JSON.stringify(loaded.errors);
  const evaluator = traceEvaluator(loaded.document);
  evaluator.add({
    seq: 1,
    timestamp: '2026-01-01T00:00:00Z',
    actor: 'default',
    protocol: 'mcp',
    mode: 'mcp_server',
    kind: 'request',
    origin: 'agent',
    method: 'tools/call',
    content,
  });
  return evaluator.finish().verdict.result;
}

export const messageCases: readonly HostileCase[] = rows.map(([id, expected, run]) => ({
  id: `message: ${id}`,
  expected,
  run,
}));
