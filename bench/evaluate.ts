import { celEnv, parse as parseCel, plan } from '@bufbuild/cel';
import { RE2JS } from 're2js';
import { createCelEvaluator, evaluateTrace, load, type MessageRecord, parse } from '../dist/index.js';
import { compileRegex } from '../src/format/expression/regex.ts';
import { scenarioTexts } from './load.ts';
import { type Figure, inTurns, type Measured, ratio } from './measure.ts';

// 50 indicators (40 regexes of the scenarios, 2 contains, 8 CEL) over 1 000 messages of 2 kB, one in fifty
// matching, against the same checks written by hand with native RegExp and plain functions.

const messageCount = 1_000;
const matchEvery = 50;

const containsTexts = ['quarterly-ledger-export', 'forward-all-mail'];

const celChecks: readonly { readonly cel: string; readonly native: (message: Message) => boolean }[] = [
  {
    cel: "message.name == 'wire_transfer'",
    native: ({ name }) => name === 'wire_transfer',
  },
  {
    cel: 'has(message.arguments.token) && size(message.arguments.token) > 8',
    native: (message) => message.arguments.token !== undefined && message.arguments.token.length > 8,
  },
  {
    cel: "message.arguments.note.contains('do not tell the user')",
    native: (message) => message.arguments.note.includes('do not tell the user'),
  },
  {
    cel: "message.arguments.path.startsWith('/etc/')",
    native: (message) => message.arguments.path.startsWith('/etc/'),
  },
  {
    cel: "message.arguments.items.exists(i, i.kind == 'secret')",
    native: (message) => message.arguments.items.some(({ kind }) => kind === 'secret'),
  },
  {
    cel: 'message.arguments.amount > 100000',
    native: (message) => message.arguments.amount > 100_000,
  },
  {
    cel: "message.arguments.path.endsWith('.pem') || message.arguments.path.endsWith('.key')",
    native: (message) => message.arguments.path.endsWith('.pem') || message.arguments.path.endsWith('.key'),
  },
  {
    cel: 'size(message.arguments.items) > 40',
    native: (message) => message.arguments.items.length > 40,
  },
];

interface Message {
  readonly name: string;
  readonly arguments: {
    readonly note: string;
    readonly path: string;
    readonly amount: number;
    readonly token?: string;
    readonly items: readonly { readonly kind: string; readonly label: string }[];
  };
}

const words =
  'the agent reads a project plan and writes a short summary for the team before it opens next week in detail'.split(
    ' ',
  );

function messages(): Message[] {
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const prose = (length: number): string => {
    let text = '';
    while (text.length < length) text += `${words[random(words.length)]} `;
    return text.slice(0, length);
  };
  return Array.from({ length: messageCount }, (_, index) => ({
    name: 'create_summary',
    arguments: {
      note: prose(1_500) + (index % matchEvery === 0 ? ' -----BEGIN OPENSSH PRIVATE KEY----- ' : ''),
      path: `/srv/projects/${index}/plan.md`,
      amount: index,
      items: Array.from({ length: 8 }, () => ({ kind: 'text', label: prose(30) })),
    },
  }));
}

function regexSources(): string[] {
  const sources = scenarioTexts().flatMap((text) => {
    const parsed = parse(text);
    return parsed.ok ? (parsed.document.attack.indicators ?? []).flatMap(({ pattern }) => pattern?.regex ?? []) : [];
  });
  const distinct = [...new Set(sources)];
  return Array.from({ length: 40 }, (_, index) => distinct[index % distinct.length] ?? 'secret');
}

export function benchEvaluate(): Figure[] {
  const regexes = regexSources();
  const indicators = [
    ...regexes.map((regex) => ({ target: 'arguments', pattern: { regex } })),
    ...containsTexts.map((contains) => ({ target: 'arguments', pattern: { contains } })),
    ...celChecks.map(({ cel }) => ({ target: 'arguments', expression: { cel } })),
  ];
  const loaded = load(
    JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', state: {} }, indicators } }),
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const { document } = loaded;
  const contents = messages();
  const records = contents.map(
    (content, seq): MessageRecord => ({
      seq,
      timestamp: '2026-01-01T00:00:00.000Z',
      actor: 'default',
      protocol: 'mcp',
      mode: 'mcp_server',
      kind: 'request',
      origin: 'agent',
      method: 'tools/call',
      content: content as never,
    }),
  );
  const native = regexes.map(nativeRegex);
  const checks: readonly ((message: Message, text: string) => boolean)[] = [
    ...native.map((regex) => (_: Message, text: string) => regex.test(text)),
    ...containsTexts.map((part) => (_: Message, text: string) => text.includes(part)),
    ...celChecks.map((check) => (message: Message) => check.native(message)),
  ];
  // Like evaluateTrace, skips a check that has already matched.
  const byHand = (): number => {
    let open = checks;
    for (const message of contents) {
      const text = JSON.stringify(message.arguments);
      const still = open.filter((check) => !check(message, text));
      open = still.length === open.length ? open : still;
    }
    return checks.length - open.length;
  };
  const ours = (): number => evaluateTrace(document, records).verdict.evaluationSummary.matched;
  if (ours() !== byHand()) throw new Error(`the two sides disagree: ${ours()} and ${byHand()}`);
  return [
    ratio('evaluateTrace, 50 indicators × 1 000 messages', inTurns(21, ours, byHand), 5),
    ratio('a regular expression whose steps are counted, against RE2 alone', benchCounting(), 3),
    ratio('a CEL loop whose steps are counted, against CEL alone', benchLoops(), 3),
  ];
}

/** A test of a text of 200 kB, above the size from which steps are counted. */
function benchCounting(): Measured {
  const source = '(?:[a-c]{1,200}[d-f]?)+([x-z])';
  const text = 'abcab'.repeat(40_000);
  const regex = compileRegex(source);
  if ('failure' in regex) throw new Error(regex.failure);
  const alone = RE2JS.compile(source);
  return inTurns(
    21,
    () => regex.test(text),
    () => alone.test(text),
  );
}

function benchLoops(): Measured {
  const cel = 'message.items.exists(a, message.items.exists(b, a.x == b.y))';
  const context = { message: { items: Array.from({ length: 60 }, (_, x) => ({ x, y: -1 - x })) } };
  const evaluator = createCelEvaluator();
  const alone = plan(celEnv(), parseCel(cel).expr);
  return inTurns(
    21,
    () => evaluator.evaluate(cel, context),
    () => alone(context as never),
  );
}

function nativeRegex(source: string): RegExp {
  return source.startsWith('(?i)') ? new RegExp(source.slice(4), 'i') : new RegExp(source);
}
