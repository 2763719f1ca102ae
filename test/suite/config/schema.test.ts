import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatPath } from '../../../src/format/model/path.ts';
import { createConfigSchema, findConfigProblems } from '../../../src/suite/config/config-shape.ts';

// The check and the JSON Schema come from one table; ajv, which does not know the table, compares them.

const schema = new Ajv2020({ strict: true, strictTuples: false, allErrors: true }).compile(createConfigSchema());

const good: readonly (readonly [what: string, text: string])[] = [
  ['an empty mapping', '{}'],
  ['the path of a schema for editors', '$schema: ./config.schema.json'],
  ['documents', 'documents: [attacks, "more/**/*.yaml", OATS-001]'],
  ['one agent', 'agent: mine'],
  ['several agents', 'agent: [gullible, "llm:small"]'],
  ['a prompt', 'prompt: Hello'],
  ['durations', 'timeout: 30s\ngracePeriod: PT5S\nbudget: 1h'],
  ['a grace period of zero', 'gracePeriod: 0s'],
  ['numbers', 'repeat: 3\nconcurrency: 2\nretries: 0'],
  ['a highest success rate in per cent', 'maxRate: 5%'],
  ['a highest success rate as a number', 'maxRate: 0.05'],
  ['a rate', 'rate: 30/m'],
  ['a delivery', 'delivery: reached'],
  ['projections', 'projections: false'],
  ['redaction', 'redact: true'],
  ['redaction patterns', 'redact: ["ACME-[0-9]{4}"]'],
  [
    'reporters, a baseline and a results folder',
    'reporter: [text, "junit=junit.xml"]\nbaseline: oatf-baseline.yaml\nout: results/{{time}}',
  ],
  ['listen addresses', 'listen: { shop: "127.0.0.1:8080", "*": "[::1]:0" }'],
  [
    'connect addresses',
    'connect: { user: "http://127.0.0.1:1/", shop: "command:npx x", "*": { url: "https://a.test/", headers: { X-A: "{{env.A}}" } } }',
  ],
  [
    'a target that is a program',
    `targets:
  mine:
    command: [node, agent.js]
    prompt: Hello
    without: [resources, prompts, list-changes]
    env: { A: "1" }
    environment: inherited
    files: { "a/b.txt": hello }
    cwd: .
    stdin: input
    output: jsonl
    answer: $.text
    pieces: true
    turns: launch
    mcp: stdio
    timeout: 30s
    maxOutput: 8MB
    maxMemory: 2GB`,
  ],
  [
    'a target that is started and configured',
    `targets:
  mine:
    agUi: http://127.0.0.1:8000/
    headers: { authorization: "Bearer {{env.TOKEN}}" }
    start: { command: node server.js, env: { A: b }, environment: clean, cwd: ., health: "http://127.0.0.1:8000/health", timeout: 10s }
    configure: { url: "http://127.0.0.1:8000/configure", method: PUT, headers: { a: b }, body: { servers: "{{mcp_config}}" } }`,
  ],
  [
    'a JSON endpoint',
    'targets: { mine: { http: "http://127.0.0.1:1/", method: PATCH, body: { a: ["{{prompt}}"] }, answer: $.a } }',
  ],
  ['URLs with upper-case schemes', 'targets: { mine: { http: "HTTP://A.TEST/" }, yours: { a2a: "GRPC://a" } }'],
  ['ports', 'listen: { a: "127.0.0.1:65535", b: "localhost:00080", c: "[::1]:9" }'],
  ['reporters in files of one’s own', 'reporter: [./mine.js, "../a/mine.mjs=out.txt", html]'],
  ['an A2A server', 'targets: { mine: { a2a: "grpc://127.0.0.1:1" } }'],
  [
    'a target that is a model',
    'targets: { mine: { llm: m, baseUrl: "http://127.0.0.1:1/v1", keyFile: key, keyEnv: KEY, temperature: 0.5, maxTokens: 10, systemPrompt: Be good., prices: { input: 1, output: 2.5 } } }',
  ],
];

const bad: readonly (readonly [what: string, text: string, path: string])[] = [
  ['a list', '[]', ''],
  ['a text', 'hello', ''],
  ['an unknown setting', 'timout: 3s', 'timout'],
  ['a setting in snake_case', 'grace_period: 3s', 'grace_period'],
  ['a setting without a value', 'timeout:', 'timeout'],
  ['documents that are a text', 'documents: attacks', 'documents'],
  ['an empty list of documents', 'documents: []', 'documents'],
  ['documents that are numbers', 'documents: [1]', 'documents[0]'],
  ['an empty list of agents', 'agent: []', 'agent'],
  ['an agent that is a number', 'agent: 7', 'agent'],
  ['an agent without a name', 'agent: ""', 'agent'],
  ['a duration that is a word', 'timeout: soon', 'timeout'],
  ['a duration without a unit', 'timeout: 30', 'timeout'],
  ['a timeout of zero', 'timeout: 0s', 'timeout'],
  ['zero repeats', 'repeat: 0', 'repeat'],
  ['half a repeat', 'repeat: 1.5', 'repeat'],
  ['too many repeats', 'repeat: 1000000', 'repeat'],
  ['a highest success rate above 1', 'maxRate: 1.5', 'maxRate'],
  ['a rate without a unit', 'rate: 5', 'rate'],
  ['an unknown delivery', 'delivery: strct', 'delivery'],
  ['projections that are a text', 'projections: "no"', 'projections'],
  ['redact as a text', 'redact: "yes"', 'redact'],
  ['reporter as a text', 'reporter: text', 'reporter'],
  ['an address without a port', 'listen: { shop: localhost }', 'listen.shop'],
  ['an address that is a number', 'listen: { shop: 8080 }', 'listen.shop'],
  ['an impossible actor name', 'listen: { "a b": "127.0.0.1:1" }', 'listen.a b'],
  ['a connect address that is not a URL', 'connect: { user: localhost }', 'connect.user'],
  ['a connect address without a URL', 'connect: { user: { headers: {} } }', 'connect.user'],
  [
    'an impossible header name',
    'connect: { user: { url: "http://a.test/", headers: { "a b": c } } }',
    'connect.user.headers.a b',
  ],
  ['targets that are a list', 'targets: []', 'targets'],
  ['a target that is a text', 'targets: { mine: node }', 'targets.mine'],
  ['a target without a kind', 'targets: { mine: { prompt: Hi } }', 'targets.mine'],
  ['a target with two kinds', 'targets: { mine: { llm: a, command: b } }', 'targets.mine'],
  ['a target name with a colon', 'targets: { "llm:mine": { llm: a } }', 'targets.llm:mine'],
  ['an unknown field of a target', 'targets: { mine: { llm: a, temprature: 1 } }', 'targets.mine.temprature'],
  ['a field of another kind of target', 'targets: { mine: { llm: a, cwd: b } }', 'targets.mine.cwd'],
  ['an empty command', 'targets: { mine: { command: [] } }', 'targets.mine.command'],
  ['a command with numbers', 'targets: { mine: { command: [node, 1] } }', 'targets.mine.command[1]'],
  ['an impossible variable name', 'targets: { mine: { command: a, env: { "1": b } } }', 'targets.mine.env.1'],
  ['a variable that is a number', 'targets: { mine: { command: a, env: { A: 1 } } }', 'targets.mine.env.A'],
  ['an unknown output', 'targets: { mine: { command: a, output: xml } }', 'targets.mine.output'],
  ['an AG-UI target that is not a URL', 'targets: { mine: { agUi: localhost } }', 'targets.mine.agUi'],
  ['a URL of another protocol', 'targets: { mine: { http: "ftp://a.test/" } }', 'targets.mine.http'],
  ['a start without a command', 'targets: { mine: { agUi: "http://a.test/", start: {} } }', 'targets.mine.start'],
  ['a temperature above the highest', 'targets: { mine: { llm: a, temperature: 3 } }', 'targets.mine.temperature'],
  ['standard input as a document', 'documents: ["-"]', 'documents[0]'],
  ['an empty document path', 'documents: [""]', 'documents[0]'],
  ['a blank document path', 'documents: ["  "]', 'documents[0]'],
  ['a rate of zero', 'rate: 0/s', 'rate'],
  ['a highest success rate that is a word', 'maxRate: often', 'maxRate'],
  ['a highest success rate above 100%', 'maxRate: 101%', 'maxRate'],
  ['a port above 65535', 'listen: { shop: "127.0.0.1:65536" }', 'listen.shop'],
  ['a port of five digits above 65535', 'listen: { shop: "127.0.0.1:99999" }', 'listen.shop'],
  ['an empty command to connect to', 'connect: { shop: "command:" }', 'connect.shop'],
  ['a blank command to connect to', 'connect: { shop: "command:  " }', 'connect.shop'],
  ['an unknown reporter', 'reporter: [text, junti]', 'reporter[1]'],
  ['a reporter without its file', 'reporter: ["junit="]', 'reporter[0]'],
  ['a target with the name of a built-in agent', 'targets: { gullible: { llm: a } }', 'targets.gullible'],
  ['a target with the name of another built-in agent', 'targets: { guarded: { llm: a } }', 'targets.guarded'],
  ['a target named external', 'targets: { external: { llm: a } }', 'targets.external'],
  ['an empty model name', 'targets: { mine: { llm: "" } }', 'targets.mine.llm'],
  ['a service without a model', 'targets: { mine: { llm: openai/ } }', 'targets.mine.llm'],
  ['a URL without a host', 'targets: { mine: { http: "http:///a" } }', 'targets.mine.http'],
  ['a URL with placeholders', 'targets: { mine: { agUi: "http://{{env.HOST}}/" } }', 'targets.mine.agUi'],
  ['an A2A URL with placeholders', 'targets: { mine: { a2a: "http://{{env.HOST}}/" } }', 'targets.mine.a2a'],
  ['a command that is an empty word', 'targets: { mine: { command: [""] } }', 'targets.mine.command[0]'],
  ['a command that is a blank word', 'targets: { mine: { command: [" ", a] } }', 'targets.mine.command[0]'],
  ['a turn timeout of zero', 'targets: { mine: { command: a, timeout: 0s } }', 'targets.mine.timeout'],
  ['a size that is a word', 'targets: { mine: { command: a, maxMemory: lots } }', 'targets.mine.maxMemory'],
  ['a size of zero', 'targets: { mine: { command: a, maxOutput: 0MB } }', 'targets.mine.maxOutput'],
  ['a size without a unit', 'targets: { mine: { command: a, maxOutput: "8" } }', 'targets.mine.maxOutput'],
  ['a file outside the folder', 'targets: { mine: { command: a, files: { ../a: b } } }', 'targets.mine.files.../a'],
  ['a file that is a folder', 'targets: { mine: { command: a, files: { a/: b } } }', 'targets.mine.files.a/'],
  ['a file at the root', 'targets: { mine: { command: a, files: { /a: b } } }', 'targets.mine.files./a'],
  ['a price for input only', 'targets: { mine: { llm: a, prices: { input: 1 } } }', 'targets.mine.prices'],
];

/** What only the check can tell: the table says why. */
const checkOnly: readonly (readonly [what: string, text: string, path: string])[] = [
  ['a connect command that only sets variables', 'connect: { shop: "command:A=b" }', 'connect.shop'],
  ['a connect command that needs a shell', 'connect: { shop: "command:a | b" }', 'connect.shop'],
  ['a URL that cannot be read', 'targets: { mine: { http: "http://[" } }', 'targets.mine.http'],
  ['a redaction pattern that does not compile', 'redact: [ok, "("]', 'redact[1]'],
  ['a redaction pattern that matches the empty text', 'redact: ["a*"]', 'redact[0]'],
  ['a function target in a file', 'targets: { mine: { function: hello } }', 'targets.mine.function'],
];

const pathsOf = (text: string): readonly string[] =>
  findConfigProblems(parse(text)).map(({ path }) => formatPath(path));

describe('the configuration check and schema', () => {
  test.each(good)('accept %s', (_, text) => {
    expect(pathsOf(text)).toEqual([]);
    expect(schema(parse(text)), JSON.stringify(schema.errors)).toBe(true);
  });
});

describe('the configuration check', () => {
  test.each(bad)('refuses, as the schema does, %s, and points at it', (_, text, path) => {
    expect(pathsOf(text)).toEqual([path]);
    expect(schema(parse(text))).toBe(false);
  });

  test.each(checkOnly)('alone refuses %s and points at it', (_, text, path) => {
    expect(pathsOf(text)).toEqual([path]);
  });

  test('reports several problems at once', () => {
    expect(pathsOf('timeout: soon\nrepeat: 0\ntargets: { a: {}, b: { llm: 1 } }')).toEqual([
      'timeout',
      'repeat',
      'targets.a',
      'targets.b.llm',
    ]);
  });

  test('reports at most 100 problems', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
    expect(findConfigProblems(many)).toHaveLength(100);
  });
});

test.each([
  ['timout: 3s', 'did you mean timeout?'],
  ['grace-period: 3s', 'did you mean gracePeriod?'],
  ['GRACEPERIOD: 3s', 'did you mean gracePeriod?'],
  ['delivery: strct', 'did you mean strict?'],
  ['reporter: [junti]', 'did you mean junit?'],
  ['targets: { mine: { comand: node } }', 'did you mean command?'],
  ['targets: { mine: { llm: a, temprature: 1 } }', 'did you mean temperature?'],
  ['targets: { mine: { llm: a, without: [resource] } }', 'did you mean resources?'],
  ['targets: { mine: { llm: a, witout: [resources] } }', 'did you mean without?'],
  ['maxRate: [1]', undefined],
  ['prompt: 7', 'put it in quotes: "7"'],
])('the problem of "%s" has the hint %s', (text, hint) => {
  expect(findConfigProblems(parse(text)).map((problem) => problem.hint)).toEqual([hint]);
});

test('the configuration check accepts a function target from code', () => {
  expect(findConfigProblems({ targets: { mine: { function: () => 'hi', prompt: 'Hello' } } })).toEqual([]);
});

test('the configuration check treats undefined in code as not set', () => {
  expect(findConfigProblems({ timeout: undefined, targets: { mine: { llm: 'a', temperature: undefined } } })).toEqual(
    [],
  );
});

test('the configuration check reports a body that cannot be sent as JSON', () => {
  const body: { self?: unknown } = {};
  body.self = body;
  const target = { http: 'http://127.0.0.1:1/', body };
  expect(findConfigProblems({ targets: { mine: target } }).map(({ path }) => formatPath(path))).toEqual([
    'targets.mine.body',
  ]);
});

test('the configuration check reports unknown keys such as constructor and __proto__', () => {
  expect(pathsOf('constructor: 1\ntargets: { toString: { llm: a, constructor: b } }')).toEqual([
    'constructor',
    'targets.toString.constructor',
  ]);
  expect(findConfigProblems(JSON.parse('{"__proto__": 1}'))).toHaveLength(1);
});
