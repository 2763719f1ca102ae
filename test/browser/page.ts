import {
  createCelEvaluator,
  evaluateExpression,
  evaluateExtractor,
  evaluatePattern,
  evaluateTrace,
  load,
  type MessageRecord,
  normalize,
  parse,
  serialize,
  validate,
} from '../../src/index.ts';

// The code of the browser test's page; it leaves its findings where the test reads them.

const text = `oatf: "0.1"
attack:
  id: ACME-001
  execution:
    mode: mcp_server
    state:
      tools:
        - name: forecast
          description: Tells the weather
  indicators:
    - {target: arguments.note, pattern: {regex: '(?i)private\\s+key'}}
    - {target: arguments, expression: {cel: "message.arguments.items.exists(i, i.matches('^sec') && size(i) > 3)"}}
`;

const content = { name: 'forecast', arguments: { note: 'A PRIVATE key', items: ['x', 'secret'] } };

const record: MessageRecord = {
  seq: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
  actor: 'default',
  protocol: 'mcp',
  mode: 'mcp_server',
  kind: 'request',
  origin: 'agent',
  method: 'tools/call',
  content,
};

function run() {
  const parsed = parse(text);
  const loaded = load(text);
  if (!parsed.ok || !loaded.ok) return { failed: [parsed, loaded] };
  return {
    errors: validate(parsed.document).errors.length,
    actor: normalize(parsed.document).attack.execution.actors[0]?.name,
    serialized: serialize(loaded.document).split('\n')[0],
    verdict: evaluateTrace(loaded.document, [record]).verdict.result,
    cel: evaluateExpression({ cel: 'size(message.name) + 1 == 9' }, content, createCelEvaluator()),
    pattern: evaluatePattern({ target: 'arguments.items[*]', condition: { regex: '^se.+t$' } }, content),
    jsonPath: evaluateExtractor(
      { name: 'a', source: 'request', type: 'json_path', selector: "$..items[?search(@, 'e.r')]" },
      content,
      'request',
    ),
  };
}

(globalThis as { outcome?: unknown }).outcome = run();
