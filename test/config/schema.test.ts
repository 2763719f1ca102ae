import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema, problemsOf } from '../../src/config/config-shape.ts';
import { formatPath } from '../../src/model/path.ts';

// The check and the JSON Schema come from one table; ajv, which does not know the table, compares them.

const schema = new Ajv2020({ strict: true, strictTuples: false, allErrors: true }).compile(configSchema());

const good: readonly (readonly [what: string, text: string])[] = [
  ['nothing', '{}'],
  ['a schema for editors', '$schema: ./config.schema.json'],
  ['documents', 'documents: [attacks, "more/**/*.yaml", OATS-001]'],
  ['one agent', 'agent: mine'],
  ['several agents', 'agent: [gullible, "llm:small"]'],
  ['a prompt', 'prompt: Hello'],
  ['durations', 'timeout: 30s\ngracePeriod: PT5S\nbudget: 1h'],
  ['a grace period of nothing', 'gracePeriod: 0s'],
  ['numbers', 'repeat: 3\nconcurrency: 2\nretries: 0'],
  ['a rate of success in per cent', 'maxRate: 5%'],
  ['a rate of success as a number', 'maxRate: 0.05'],
  ['a rate', 'rate: 30/m'],
  ['a demand', 'delivery: reached'],
  ['projections', 'projections: false'],
  ['redaction', 'redact: true'],
  ['patterns', 'redact: ["ACME-[0-9]{4}"]'],
  ['reports', 'reporter: [text, "junit=junit.xml"]\nbaseline: oatf-baseline.yaml\nout: results/{{time}}'],
  ['places to listen', 'listen: { shop: "127.0.0.1:8080", "*": "[::1]:0" }'],
  [
    'places to speak to',
    'connect: { user: "http://127.0.0.1:1/", shop: "command:npx x", "*": { url: "https://a.test/", headers: { X-A: "{{env.A}}" } } }',
  ],
  [
    'a program',
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
    'a server that is started and configured',
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
  ['URLs in capitals', 'targets: { mine: { http: "HTTP://A.TEST/" }, yours: { a2a: "GRPC://a" } }'],
  ['ports', 'listen: { a: "127.0.0.1:65535", b: "localhost:00080", c: "[::1]:9" }'],
  ['reports of one’s own', 'reporter: [./mine.js, "../a/mine.mjs=out.txt", html]'],
  ['an A2A server', 'targets: { mine: { a2a: "grpc://127.0.0.1:1" } }'],
  [
    'a model',
    'targets: { mine: { llm: m, baseUrl: "http://127.0.0.1:1/v1", keyFile: key, keyEnv: KEY, temperature: 0.5, maxTokens: 10, systemPrompt: Be good., prices: { input: 1, output: 2.5 } } }',
  ],
];

const bad: readonly (readonly [what: string, text: string, path: string])[] = [
  ['a list', '[]', ''],
  ['a text', 'hello', ''],
  ['an unknown setting', 'timout: 3s', 'timout'],
  ['a setting in another spelling', 'grace_period: 3s', 'grace_period'],
  ['a setting with nothing behind it', 'timeout:', 'timeout'],
  ['documents as a text', 'documents: attacks', 'documents'],
  ['no documents', 'documents: []', 'documents'],
  ['documents that are numbers', 'documents: [1]', 'documents[0]'],
  ['no agent', 'agent: []', 'agent'],
  ['an agent that is a number', 'agent: 7', 'agent'],
  ['an agent without a name', 'agent: ""', 'agent'],
  ['a duration that is none', 'timeout: soon', 'timeout'],
  ['a duration without a unit', 'timeout: 30', 'timeout'],
  ['no time at all', 'timeout: 0s', 'timeout'],
  ['no repeat', 'repeat: 0', 'repeat'],
  ['half a repeat', 'repeat: 1.5', 'repeat'],
  ['too many repeats', 'repeat: 1000000', 'repeat'],
  ['a rate of success above one', 'maxRate: 1.5', 'maxRate'],
  ['a rate without a unit', 'rate: 5', 'rate'],
  ['a demand that is none', 'delivery: strct', 'delivery'],
  ['projections as a text', 'projections: "no"', 'projections'],
  ['redaction as a text', 'redact: "yes"', 'redact'],
  ['a reporter as a text', 'reporter: text', 'reporter'],
  ['an address without a port', 'listen: { shop: localhost }', 'listen.shop'],
  ['an address that is a number', 'listen: { shop: 8080 }', 'listen.shop'],
  ['an actor of no name', 'listen: { "a b": "127.0.0.1:1" }', 'listen.a b'],
  ['a place that is no URL', 'connect: { user: localhost }', 'connect.user'],
  ['a place without a URL', 'connect: { user: { headers: {} } }', 'connect.user'],
  [
    'a header of no name',
    'connect: { user: { url: "http://a.test/", headers: { "a b": c } } }',
    'connect.user.headers.a b',
  ],
  ['targets as a list', 'targets: []', 'targets'],
  ['a target that is a text', 'targets: { mine: node }', 'targets.mine'],
  ['a target of no kind', 'targets: { mine: { prompt: Hi } }', 'targets.mine'],
  ['a target of two kinds', 'targets: { mine: { llm: a, command: b } }', 'targets.mine'],
  ['a name with a colon', 'targets: { "llm:mine": { llm: a } }', 'targets.llm:mine'],
  ['an unknown field of a target', 'targets: { mine: { llm: a, temprature: 1 } }', 'targets.mine.temprature'],
  ['a field of another kind', 'targets: { mine: { llm: a, cwd: b } }', 'targets.mine.cwd'],
  ['a command of nothing', 'targets: { mine: { command: [] } }', 'targets.mine.command'],
  ['a command with numbers', 'targets: { mine: { command: [node, 1] } }', 'targets.mine.command[1]'],
  ['a variable of no name', 'targets: { mine: { command: a, env: { "1": b } } }', 'targets.mine.env.1'],
  ['a variable that is a number', 'targets: { mine: { command: a, env: { A: 1 } } }', 'targets.mine.env.A'],
  ['an output that is none', 'targets: { mine: { command: a, output: xml } }', 'targets.mine.output'],
  ['a URL that is none', 'targets: { mine: { agUi: localhost } }', 'targets.mine.agUi'],
  ['a URL of another protocol', 'targets: { mine: { http: "ftp://a.test/" } }', 'targets.mine.http'],
  [
    'a start without a command',
    'targets: { mine: { agUi: "http://a.test/", start: {} } }',
    'targets.mine.start',
  ],
  ['a model that is too warm', 'targets: { mine: { llm: a, temperature: 3 } }', 'targets.mine.temperature'],
  ['standard input', 'documents: ["-"]', 'documents[0]'],
  ['a document of no name', 'documents: [""]', 'documents[0]'],
  ['a document of blanks', 'documents: ["  "]', 'documents[0]'],
  ['a rate of never', 'rate: 0/s', 'rate'],
  ['a rate of success that is a word', 'maxRate: often', 'maxRate'],
  ['a rate of success above all', 'maxRate: 101%', 'maxRate'],
  ['a port that there is none of', 'listen: { shop: "127.0.0.1:65536" }', 'listen.shop'],
  ['a port of too many digits', 'listen: { shop: "127.0.0.1:99999" }', 'listen.shop'],
  ['a command of nothing to speak to', 'connect: { shop: "command:" }', 'connect.shop'],
  ['a command of blanks to speak to', 'connect: { shop: "command:  " }', 'connect.shop'],
  ['a reporter that is none', 'reporter: [text, junti]', 'reporter[1]'],
  ['a reporter without its file', 'reporter: ["junit="]', 'reporter[0]'],
  ['a target with the name of a built-in agent', 'targets: { gullible: { llm: a } }', 'targets.gullible'],
  ['a target with the name of another', 'targets: { guarded: { llm: a } }', 'targets.guarded'],
  ['a target with the name of whoever connects', 'targets: { external: { llm: a } }', 'targets.external'],
  ['no model', 'targets: { mine: { llm: "" } }', 'targets.mine.llm'],
  ['a service without a model', 'targets: { mine: { llm: openai/ } }', 'targets.mine.llm'],
  ['a URL of no host', 'targets: { mine: { http: "http:///a" } }', 'targets.mine.http'],
  ['a URL with placeholders', 'targets: { mine: { agUi: "http://{{env.HOST}}/" } }', 'targets.mine.agUi'],
  ['an A2A URL with placeholders', 'targets: { mine: { a2a: "http://{{env.HOST}}/" } }', 'targets.mine.a2a'],
  ['a command of no word', 'targets: { mine: { command: [""] } }', 'targets.mine.command[0]'],
  ['a command of blanks', 'targets: { mine: { command: [" ", a] } }', 'targets.mine.command[0]'],
  ['a turn of no time', 'targets: { mine: { command: a, timeout: 0s } }', 'targets.mine.timeout'],
  ['a size that is none', 'targets: { mine: { command: a, maxMemory: lots } }', 'targets.mine.maxMemory'],
  ['a size of nothing', 'targets: { mine: { command: a, maxOutput: 0MB } }', 'targets.mine.maxOutput'],
  ['a size without a unit', 'targets: { mine: { command: a, maxOutput: "8" } }', 'targets.mine.maxOutput'],
  ['a file elsewhere', 'targets: { mine: { command: a, files: { ../a: b } } }', 'targets.mine.files.../a'],
  ['a file that is a folder', 'targets: { mine: { command: a, files: { a/: b } } }', 'targets.mine.files.a/'],
  ['a file at the root', 'targets: { mine: { command: a, files: { /a: b } } }', 'targets.mine.files./a'],
  ['half a price', 'targets: { mine: { llm: a, prices: { input: 1 } } }', 'targets.mine.prices'],
];

/** What only the check can tell: the table says why. */
const checkOnly: readonly (readonly [what: string, text: string, path: string])[] = [
  ['a command that is variables only', 'connect: { shop: "command:A=b" }', 'connect.shop'],
  ['a command for a shell', 'connect: { shop: "command:a | b" }', 'connect.shop'],
  ['a URL that cannot be read', 'targets: { mine: { http: "http://[" } }', 'targets.mine.http'],
  ['a pattern that does not compile', 'redact: [ok, "("]', 'redact[1]'],
  ['a pattern that matches nothing', 'redact: ["a*"]', 'redact[0]'],
  ['a function in a file', 'targets: { mine: { function: hello } }', 'targets.mine.function'],
];

const pathsOf = (text: string): readonly string[] =>
  problemsOf(parse(text)).map(({ path }) => formatPath(path));

describe('valid configurations', () => {
  test.each(good)('%s', (_, text) => {
    expect(pathsOf(text)).toEqual([]);
    expect(schema(parse(text)), JSON.stringify(schema.errors)).toBe(true);
  });
});

describe('invalid configurations, and the place of each problem', () => {
  test.each(bad)('%s', (_, text, path) => {
    expect(pathsOf(text)).toEqual([path]);
    expect(schema(parse(text))).toBe(false);
  });

  test.each(checkOnly)('%s', (_, text, path) => {
    expect(pathsOf(text)).toEqual([path]);
  });

  test('all of it at once', () => {
    expect(pathsOf('timeout: soon\nrepeat: 0\ntargets: { a: {}, b: { llm: 1 } }')).toEqual([
      'timeout',
      'repeat',
      'targets.a',
      'targets.b.llm',
    ]);
  });

  test('but no more than can be read', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
    expect(problemsOf(many)).toHaveLength(100);
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
])('%s: %s', (text, hint) => {
  expect(problemsOf(parse(text)).map((problem) => problem.hint)).toEqual([hint]);
});

test('a function is what only code can say', () => {
  expect(problemsOf({ targets: { mine: { function: () => 'hi', prompt: 'Hello' } } })).toEqual([]);
});

test('an undefined value in code counts as not set', () => {
  expect(problemsOf({ timeout: undefined, targets: { mine: { llm: 'a', temperature: undefined } } })).toEqual(
    [],
  );
});

test('a value that cannot be sent as JSON is reported', () => {
  const body: { self?: unknown } = {};
  body.self = body;
  const target = { http: 'http://127.0.0.1:1/', body };
  expect(problemsOf({ targets: { mine: target } }).map(({ path }) => formatPath(path))).toEqual([
    'targets.mine.body',
  ]);
});

test('keys that objects have by themselves are keys like any other', () => {
  expect(pathsOf('constructor: 1\ntargets: { toString: { llm: a, constructor: b } }')).toEqual([
    'constructor',
    'targets.toString.constructor',
  ]);
  expect(problemsOf(JSON.parse('{"__proto__": 1}'))).toHaveLength(1);
});
