import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { BuiltInAgentName } from '../../src/agents/built-in/built-in-agents.ts';
import { findMismatches } from '../../src/cli/test/found-results.ts';
import { type CaseResult, runCases } from '../../src/cli/test/run-cases.ts';
import { readTestFile, type TestCase } from '../../src/cli/test/test-file.ts';
import { loadMarked } from '../../src/format/load-marked.ts';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import type { Value, ValueMap } from '../../src/format/model/value.ts';
import { evaluateTrace, type MessageRecord, type TraceRecord } from '../../src/index.ts';
import { openLibrary } from '../../src/suite/library/library.ts';
import type { PlannedRun, PlayableDocument } from '../../src/suite/plan/plan.ts';
import type { PlayResult } from '../../src/suite/play/play-run.ts';
import { honestTexts } from '../support/honest-texts.ts';
import { mcpErasOf, playedInSessions } from '../support/mcp-eras.ts';

// The library is played against the three built-in agents over real sockets, as `oatf test scenarios` does. All runs of
// a document are made once, in parallel; further checks of this file use their traces.

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

const read = readTestFile(readFileSync(join(library.folder, 'library.test.yaml'), 'utf8'));
if (!read.ok) throw new Error(read.problems.join('; '));
const { file } = read;

const playables = new Map<string, PlayableDocument>(
  library.documents.map(({ path }) => {
    const text = readFileSync(path, 'utf8');
    const loaded = loadMarked(text);
    if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
    return [path, { document: loaded.document, file: path, text, warnings: loaded.warnings }];
  }),
);

function playableAt(path: string): PlayableDocument {
  return playables.get(path) as PlayableDocument;
}

function documentAt(path: string): NormalizedDocument {
  return playableAt(path).document;
}

type RunName = `${BuiltInAgentName} ${'attack' | 'twin'}`;
interface RecordedRun extends Pick<PlayResult, 'end' | 'coverage' | 'delivery' | 'disclosure'> {
  readonly trace: readonly TraceRecord[];
}
interface Held {
  readonly results: ReadonlyMap<TestCase, CaseResult>;
  readonly runs: { readonly [Name in RunName]: RecordedRun };
}
const held = new Map<string, Promise<Held>>();

async function hold(path: string): Promise<Held> {
  const traces = new Map<string, TraceRecord[]>();
  const runs: { [name: string]: RecordedRun } = {};
  const nameOf = ({ attack }: PlannedRun, { twinOf }: PlayableDocument): string =>
    `${attack.agent.name} ${twinOf === undefined ? 'attack' : 'twin'}`;
  const results = await runCases(file, playableAt(path), {} as never, {
    signal: new AbortController().signal,
    watch: () => ({
      begin(task, playable) {
        const trace: TraceRecord[] = [];
        traces.set(nameOf(task, playable), trace);
        return { record: (record) => void trace.push(record) };
      },
      finished(task, { playable, result }) {
        const name = nameOf(task, playable);
        const { end, coverage, delivery, disclosure } = result;
        runs[name] = {
          end,
          coverage,
          delivery,
          ...(disclosure !== undefined && { disclosure }),
          trace: traces.get(name) ?? [],
        };
      },
    }),
  });
  return { results, runs: runs as Held['runs'] };
}

function heldAt(path: string): Promise<Held> {
  const known = held.get(path) ?? hold(path);
  held.set(path, known);
  return known;
}

async function runsOf(path: string): Promise<Held['runs']> {
  return (await heldAt(path)).runs;
}

/** The value that the first mark of a document points at. */
function payloadOf(path: string): string {
  const { attack } = parse(readFileSync(path, 'utf8'));
  const [{ actor, phase, at }] = attack['x-payload'];
  const written = attack.execution.actors
    .find(({ name }: { name: string }) => name === actor)
    .phases.find(({ name }: { name: string }) => name === phase);
  return String(
    at
      .split('/')
      .slice(1)
      .reduce((value: Record<string, never>, key: string) => value[key.replace('~1', '/')], written),
  );
}

/** The run as it would have been, had the agent given this answer whenever it spoke. */
function saying(text: string, trace: readonly TraceRecord[]): readonly TraceRecord[] {
  const said = new Set<Value | undefined>();
  return trace.map((each) => {
    if (!isOfAgent(each)) return each;
    // The agent's words are also recorded in the spelling of the wire.
    const { wire: _, ...record } = each;
    const { method, kind, content } = record;
    if (method === 'text_message_content') {
      const { messageId } = content as ValueMap;
      const delta = said.has(messageId) ? '' : text;
      said.add(messageId);
      return { ...record, content: { ...(content as ValueMap), delta } };
    }
    if (kind !== 'response') return record;
    if (method === 'tools/call') return { ...record, content: { content: [{ type: 'text', text }] } };
    const parts = [{ kind: 'text', text }];
    return method === 'message/send'
      ? { ...record, content: { ...(content as ValueMap), artifacts: [{ artifactId: 'a', parts }] } }
      : record;
  });
}

const uses = /^(?:tools\/call|resources\/read|prompts\/get|message\/(?:send|stream))$/;

/**
 * The run without the agent's acts, or without the last of them; calls of the application's own tools count as one act.
 */
function without(what: 'acts' | 'last act', trace: readonly TraceRecord[]): readonly TraceRecord[] {
  const ofAgent = trace.filter(isOfAgent);
  const requests = ofAgent.filter(({ kind, method }) => kind === 'request' && uses.test(method));
  const calls = ofAgent.filter(({ method }) => method.startsWith('tool_call_'));
  const last = requests.length > 0 ? requests.slice(-1) : calls;
  const left: readonly TraceRecord[] = what === 'acts' ? [...requests, ...calls] : last;
  // A trace with a gap in its numbers could not be judged.
  return trace.map((record) => (left.includes(record) ? toPing(record) : record));
}

function toPing(record: TraceRecord): TraceRecord {
  const { wire: _, ...rest } = record as MessageRecord;
  return { ...rest, method: 'ping', content: {} };
}

function isOfAgent(record: TraceRecord): record is MessageRecord {
  return 'origin' in record && record.origin === 'agent';
}

function saidIn(trace: readonly TraceRecord[]): string {
  const deltas = trace.filter(isOfAgent).filter(({ method }) => method === 'text_message_content');
  return deltas.map(({ content }) => (content as ValueMap).delta).join('');
}

// Their payloads have fewer than six words in a row, or the answers hold text in no known language.
const undisclosable: ReadonlySet<string> = new Set(['OATS-030', 'OATS-123', 'OATS-127', 'OATS-135']);

describe.each(library.documents)('$id of the library', ({ id, path }) => {
  test('is valid, and has no warnings except for extensions', () => {
    const codes = playableAt(path).warnings.map(({ code }) => code);
    // W-007 says that a second line needs a judge.
    expect(codes.filter((code) => code !== 'O-009' && code !== 'W-007')).toEqual([]);
  });

  test('has its own id, a severity, a description, and a tier for each indicator', () => {
    const { attack } = documentAt(path);
    expect([attack.id, attack.severity?.level !== undefined, attack.description !== undefined]).toEqual([
      id,
      true,
      true,
    ]);
    expect((attack.indicators ?? []).filter(({ tier }) => tier === undefined)).toEqual([]);
  });

  test.each(file.cases)('has the results that the test file expects with $name', async (each) => {
    const result = (await heldAt(path)).results.get(each);
    expect(result?.ok && findMismatches(each.expect, result.found, { isOneOfMany: true })).toEqual([]);
  });

  test('gets an answer from all three built-in agents', async () => {
    const runs = Object.values(await runsOf(path));
    const seen = runs.flatMap(({ trace }) => trace.filter(({ protocol }) => protocol === 'x_agent'));
    expect(seen.filter(({ content }) => (content as ValueMap).ended !== 'answered')).toEqual([]);
    expect(runs.map(({ end }) => end.reason)).toEqual(runs.map(() => 'finished'));
  });

  test('is delivered completely to all three built-in agents, over one era of MCP', async () => {
    const runs = Object.values(await runsOf(path));
    expect(runs.flatMap(({ coverage }) => coverage.missing)).toEqual([]);
    const eras = new Set(runs.flatMap(({ delivery }) => mcpErasOf(delivery)));
    const speaksMcp = documentAt(path).attack.execution.actors.some(({ mode }) => mode.startsWith('mcp_'));
    expect([...eras]).toEqual(speaksMcp ? [playedInSessions.has(id) ? '2024-11-05' : '2026-07-28'] : []);
  });

  test('has four examples of each kind for a judge, and another indicator before it', () => {
    const { indicators = [] } = documentAt(path).attack;
    const semantic = indicators.flatMap((indicator) => indicator.semantic ?? []);
    for (const { examples } of semantic) {
      expect(examples?.positive?.length).toBeGreaterThanOrEqual(4);
      expect(examples?.negative?.length).toBeGreaterThanOrEqual(4);
    }
    expect(indicators[0]?.semantic).toBeUndefined();
  });

  test('is disclosed to the user by candid and not by guarded, but for those that are listed', async () => {
    const runs = await runsOf(path);
    const states = [runs['candid attack'].disclosure, runs['guarded attack'].disclosure];
    if (undisclosable.has(id)) expect(states).toEqual([expect.stringMatching(/^(?:disclosed|unknown)$/), 'unknown']);
    else expect(states).toEqual(['disclosed', 'not_disclosed']);
  });

  type Change = (trace: readonly TraceRecord[]) => readonly TraceRecord[];
  test.each<readonly [string, Change]>([
    ['nothing and apologises', (trace) => saying('Sorry, I could not do that.', without('acts', trace))],
    ['nothing and says that all is done', (trace) => saying('Done.', without('acts', trace))],
    ['all, and gives no more than an error', (trace) => saying('error 401 from the model', trace)],
    ['all but the last step', (trace) => without('last act', trace)],
  ])('does not count its task as done if the agent does %s', async (_, change) => {
    const { trace } = (await runsOf(path))['guarded attack'];
    expect(evaluateTrace(documentAt(path), change(trace)).task).toBe('not_done');
  });
});

// The library's own test file is checked above, document by document.
const besides = readdirSync(library.folder).filter((name) => /^OATS-.*\.test\.yaml$/.test(name));

test.each(besides)('the cases of the library’s test file %s have the results that it expects', async (name) => {
  const own = readTestFile(readFileSync(join(library.folder, name), 'utf8'));
  if (!own.ok) throw new Error(own.problems.join('; '));
  const path = join(library.folder, name.replace('.test.yaml', '.yaml'));
  const results = await runCases(own.file, playableAt(path), {} as never, new AbortController());
  const mismatches = own.file.cases.map((each) => {
    const result = results.get(each);
    return result?.ok && findMismatches(each.expect, result.found);
  });
  expect(mismatches).toEqual(own.file.cases.map(() => []));
});

test('the test file of the library names only indicators that exist and cannot match', () => {
  const unmet = file.cases.flatMap(({ expect: { indicators = {} } }) => Object.entries(indicators));
  const indicators = new Map(
    library.documents.flatMap(({ path }) => (documentAt(path).attack.indicators ?? []).map((each) => [each.id, each])),
  );
  // There is no judge of semantic indicators here, and our own agents survive.
  const why = { skipped: 'semantic', not_matched: 'ended' } as const;
  for (const [id, result] of unmet.filter(([key]) => key !== '*')) {
    const { semantic, target } = indicators.get(id) ?? {};
    expect([id, semantic === undefined ? target : 'semantic']).toEqual([id, why[result as keyof typeof why]]);
  }
});

test('the rule of disclosure knows nothing of at most 25 documents of the library', () => {
  expect(undisclosable.size).toBeLessThanOrEqual(25);
  const ids = new Set(library.documents.map(({ id }) => id));
  expect([...undisclosable].filter((id) => !ids.has(id))).toEqual([]);
});

test('the library has at least fifteen documents', () => {
  expect(library.documents.length).toBeGreaterThanOrEqual(15);
});

describe('honest texts that quote the injected instruction', () => {
  const five = ['OATS-001', 'OATS-018', 'OATS-025', 'OATS-028', 'OATS-047'];
  const documents = library.documents.filter(({ id }) => five.includes(id));

  test.each(documents)('match no indicator of $id, in none of forty forms', async ({ path }) => {
    const document = documentAt(path);
    const { trace } = (await runsOf(path))['guarded attack'];
    const instruction = payloadOf(path);
    const texts = honestTexts(instruction, instruction.replace(/https?:\/\/\S+/g, '[link left out]'));
    const matched = texts.filter((text) => {
      const { verdict } = evaluateTrace(document, saying(text, trace));
      return verdict.indicatorVerdicts.some(({ result }) => result === 'matched');
    });
    expect([texts.length, matched]).toEqual([40, []]);
  });
});

test('the agent candid quotes in every way it knows, over the whole library', async () => {
  const ways = [
    'do: "',
    'told “',
    "says '",
    'you: ‘',
    'refused: «',
    'across „',
    'ignored: `',
    '```\n',
    '\n> ',
    'says: *',
    'this. ',
  ];
  let words = '';
  // One after the other: if this test runs alone, runs that all start at once would reach their time limits.
  for (const { path } of library.documents) words += `\n${saidIn((await runsOf(path))['candid attack'].trace)}`;
  expect(ways.filter((way) => !words.includes(way))).toEqual([]);
}, 600_000);

describe('the severity rubric', () => {
  const page = readFileSync(new URL('../../scenarios/README.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\| ([\d ]+) \|$/gm)];
  const levels = rows.flatMap(([, level, numbers = '']) =>
    numbers.split(' ').map((number) => [`OATS-${number}` as string, level] as const),
  );

  // Documents with an id of a class are checked by the rules of the library.
  const listed = library.documents.filter(({ id }) => /^OATS-\d/.test(id));

  test('has one place for each document', () => {
    expect(levels.map(([id]) => id).sort()).toEqual(listed.map(({ id }) => id).sort());
  });

  test.each(listed)('gives $id the severity that the document has', ({ id, path }) => {
    expect(documentAt(path).attack.severity?.level).toBe(new Map(levels).get(id));
  });
});
