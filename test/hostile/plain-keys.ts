import { formatDocument } from '../../src/format/document/format.ts';
import {
  computeVerdict,
  createCelEvaluator,
  evaluateCondition,
  evaluateExpression,
  evaluateExtractor,
  evaluatePredicate,
  evaluateTrace,
  interpolateTemplate,
  interpolateValue,
  load,
  type MessageRecord,
  resolveSimplePath,
  resolveWildcardPath,
  serialize,
  type Value,
} from '../../src/index.ts';

// Names that every object inherits are ordinary keys: they are found only if they are there.

export const inheritedNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

const holding = (key: string, item: Value = 1): Value => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(item)}}`);
const extractor = (selector: string) => ({ name: 'a', source: 'request', type: 'json_path', selector }) as const;
const cel = createCelEvaluator();

const documentWith = (key: string): string => `oatf: "0.1"
attack:
  x-${key}: kept
  execution:
    mode: mcp_server
    phases:
      - state: {x-a: 1, tools: [{name: a, responses: [{when: {${key}: 1}, content: 2}]}], x-b: {${key}: deep}}
        on_enter: [{${key}: {${key}: 1}}]
        trigger: {event: tools/call, match: {${key}: {${key}: 1}}}
      - {}
  indicators:
    - {target: ${key}, pattern: {condition: {${key}: 1}}}
    - {target: '', expression: {cel: 'true', variables: {${key}: ${key}}}}
`;

function loaded(text: string) {
  const result = load(text);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.document;
}

const record = (content: Value): MessageRecord => ({
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

type Check = (key: string) => readonly [found: unknown, expected: unknown];

export const plainKeyChecks: { readonly [what: string]: Check } = {
  'loading a serialized document again': (key) => {
    const first = loaded(documentWith(key));
    return [loaded(serialize(first)), first];
  },
  'the serialized text, which has every such key': (key) => [
    serialize(loaded(documentWith(key))).split(key).length,
    // One more, because the indicator's target is also written in its pattern.
    documentWith(key).split(key).length + 1,
  ],
  fmt: (key) => {
    const formatted = formatDocument(documentWith(key));
    return [formatted.ok && loaded(formatted.text), loaded(documentWith(key))];
  },
  'the error for an unknown field': (key) => {
    const result = load(`oatf: "0.1"\n${key}: 1\nattack: {execution: {mode: mcp_server, state: {}}}`);
    return [result.ok || result.errors.map((error) => 'path' in error && error.path), [key]];
  },
  'simple path': (key) => [
    [resolveSimplePath(key, holding(key)), resolveSimplePath(key, {})],
    [1, undefined],
  ],
  'wildcard path': (key) => [
    [resolveWildcardPath(`${key}[*]`, holding(key, [1])), resolveWildcardPath(key, {})],
    [[1], []],
  ],
  equality: (key) => [
    [
      evaluateCondition(holding(key), holding(key)),
      evaluateCondition(holding(key), {}),
      evaluateCondition({}, holding(key)),
    ],
    [true, false, false],
  ],
  'text of a value': (key) => [evaluateCondition({ contains: `"${key}":1` }, holding(key)), true],
  predicate: (key) => {
    const predicate = holding(key) as { [path: string]: Value };
    return [
      [evaluatePredicate(predicate, holding(key)), evaluatePredicate(predicate, {})],
      [true, false],
    ];
  },
  template: (key) => [
    [interpolateTemplate(`{{${key}}}`, holding(key) as never).text, interpolateTemplate(`{{${key}}}`, {}).text],
    ['1', ''],
  ],
  'template of a message': (key) => [interpolateTemplate(`{{request.${key}}}`, {}, {}).text, ''],
  'templates in a value': (key) => [interpolateValue(holding(key, '{{n}}'), { n: 'x' }).value, holding(key, 'x')],
  JSONPath: (key) => [
    [
      evaluateExtractor(extractor(`$.${key}`), holding(key), 'request'),
      evaluateExtractor(extractor(`$.${key}`), {}, 'request'),
      evaluateExtractor(extractor(`$..${key}`), [{}], 'request'),
    ],
    ['1', undefined, undefined],
  ],
  'CEL has': (key) => [
    [
      evaluateExpression({ cel: `has(message.${key})` }, holding(key), cel),
      evaluateExpression({ cel: `has(message.${key})` }, {}, cel),
      evaluateExpression({ cel: `message.${key} == 1` }, holding(key), cel),
    ],
    [true, false, true],
  ],
  'CEL variable': (key) => [
    evaluateExpression({ cel: `${key} == 1`, variables: holding(key, key) as never }, holding(key), cel),
    true,
  ],
  'verdict by id': (key) => [
    computeVerdict({ indicators: [{ id: key }] }, {}).indicatorVerdicts,
    [{ indicatorId: key, result: 'skipped' }],
  ],
  trace: (key) => {
    const document = loaded(documentWith(key));
    const results = [{}, holding(key, holding(key) as Value)].map(
      (content) => evaluateTrace(document, [record(content)]).verdict.indicatorVerdicts[0]?.result,
    );
    return [results, ['not_matched', 'matched']];
  },
};
