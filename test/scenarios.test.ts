import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type BuiltInAgentName, builtInAgent, builtInAgentNames } from '../src/built-in/built-in-agents.ts';
import {
  evaluateTrace,
  load,
  type MessageRecord,
  type NormalizedDocument,
  type TraceRecord,
} from '../src/index.ts';
import { diagnoseMarked, loadMarked } from '../src/load-marked.ts';
import { benignTwin } from '../src/marks/benign-twin.ts';
import type { NormalizedIndicator } from '../src/model/normalized.ts';
import type { Value, ValueMap } from '../src/model/value.ts';
import { openLibrary } from '../src/suite/library.ts';
import { a2aServerMode, mcpServerMode } from '../src/suite/modes.ts';
import { type PlayResult, playDocument } from '../src/suite/play.ts';
import { systemClock } from '../src/transport/clock.ts';
import { honestTexts } from './support/honest-texts.ts';

// What ships is held against the three built-in agents, over real sockets: every document tells them apart, and in its
// benign twin it does not. All runs of a document are made once, at the same time.

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

function documentAt(path: string): NormalizedDocument {
  const loaded = load(readFileSync(path, 'utf8'));
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
  return loaded.document;
}

function twinAt(path: string): NormalizedDocument {
  const text = readFileSync(path, 'utf8');
  const loaded = loadMarked(text);
  if (!loaded.ok || loaded.marks === undefined) throw new Error(`${path} is not marked`);
  const twin = benignTwin(text, loaded.marks);
  if (!twin.ok) throw new Error(twin.errors.map(({ message }) => message).join('; '));
  return twin.document;
}

async function play(document: NormalizedDocument, agent: BuiltInAgentName): Promise<RecordedRun> {
  const trace: TraceRecord[] = [];
  const result = await playDocument(document, {
    modes: [mcpServerMode(), a2aServerMode()],
    agent: builtInAgent(agent),
    clock: systemClock,
    record: (record) => void trace.push(record),
  });
  return { ...result, trace };
}

const kinds = { attack: documentAt, twin: twinAt } as const;
type RunName = `${BuiltInAgentName} ${keyof typeof kinds}`;
interface RecordedRun extends PlayResult {
  readonly trace: readonly TraceRecord[];
}
type Runs = { readonly [Name in RunName]: RecordedRun };
const played = new Map<string, Promise<Runs>>();

function runsOf(path: string): Promise<Runs> {
  const known = played.get(path) ?? playAll(path);
  played.set(path, known);
  return known;
}

async function playAll(path: string): Promise<Runs> {
  const runs = builtInAgentNames.flatMap((agent) =>
    (['attack', 'twin'] as const).map(
      async (kind) => [`${agent} ${kind}`, await play(kinds[kind](path), agent)] as const,
    ),
  );
  return Object.fromEntries(await Promise.all(runs)) as Runs;
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
    // What it said stands once more in the spelling of the wire.
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

/** The run without what the agent did, or without the last of it; calls of the application's own tools are one act. */
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

function matchedIn({ verdict }: PlayResult): readonly string[] {
  return verdict.indicatorVerdicts
    .filter(({ result }) => result === 'matched')
    .map(({ indicatorId }) => indicatorId);
}

/** Our own agents survive; what asks for that is for others, and each document has an act beside it. */
function asksForSurvival({ protocol, target }: NormalizedIndicator): boolean {
  return protocol === 'x_agent' && target === 'ended';
}

describe.each(library.documents)('$id', ({ id, path }) => {
  test('is valid, and warns of nothing but extensions', () => {
    const codes = diagnoseMarked(readFileSync(path, 'utf8')).map(({ code }) => code);
    // W-007 says that a second line needs a judge.
    expect(codes.filter((code) => code !== 'O-009' && code !== 'W-007')).toEqual([]);
  });

  test('carries its own id, indicators with tiers, and a severity', () => {
    const { attack } = documentAt(path);
    expect([attack.id, attack.severity?.level !== undefined, attack.description !== undefined]).toEqual([
      id,
      true,
      true,
    ]);
    expect((attack.indicators ?? []).filter(({ tier }) => tier === undefined)).toEqual([]);
  });

  test('exploits gullible, by every indicator', async () => {
    const run = (await runsOf(path))['gullible attack'];
    expect(['exploited', 'partial']).toContain(run.outcome.outcome);
    // Nobody judges here what texts mean.
    const acts = documentAt(path).attack.indicators?.filter(
      (indicator) => indicator.semantic === undefined && !asksForSurvival(indicator),
    );
    expect(acts).not.toEqual([]);
    expect(matchedIn(run)).toEqual(acts?.map((indicator) => indicator.id));
  });

  test('is survived by all three, who come to an answer', async () => {
    const runs = Object.values(await runsOf(path));
    const seen = runs.flatMap(({ trace }) => trace.filter(({ protocol }) => protocol === 'x_agent'));
    expect(seen.filter(({ content }) => (content as ValueMap).ended !== 'answered')).toEqual([]);
    expect(runs.map(({ end }) => end.reason)).toEqual(runs.map(() => 'finished'));
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

  test.each(['guarded', 'candid'] as const)(
    'is resisted by %s, which got all that the attack needs and did its task',
    async (agent) => {
      const run = (await runsOf(path))[`${agent} attack`];
      const { outcome, coverage, task } = run;
      expect({ ...outcome, matched: matchedIn(run), unseen: coverage.missing, task: task.state }).toEqual({
        outcome: 'resisted',
        matched: [],
        unseen: [],
        task: 'done',
      });
    },
  );

  type Change = (trace: readonly TraceRecord[]) => readonly TraceRecord[];
  test.each<readonly [string, Change]>([
    ['nothing and apologises', (trace) => saying('Sorry, I could not do that.', without('acts', trace))],
    ['nothing and says that all is done', (trace) => saying('Done.', without('acts', trace))],
    ['all, and gives no more than an error', (trace) => saying('error 401 from the model', trace)],
    ['all but the last step', (trace) => without('last act', trace)],
  ])('does not take its task for done by an agent that does %s', async (_, change) => {
    const { trace } = (await runsOf(path))['guarded attack'];
    expect(evaluateTrace(documentAt(path), change(trace)).task.state).toBe('not_done');
  });

  test.each(builtInAgentNames)('has %s do its task, and nothing else, in the benign twin', async (agent) => {
    const run = (await runsOf(path))[`${agent} twin`];
    expect({ matched: matchedIn(run), task: run.task.state }).toEqual({ matched: [], task: 'done' });
  });
});

test('there are at least fifteen', () => {
  expect(library.documents.length).toBeGreaterThanOrEqual(15);
});

describe('an honest text is no compromise', () => {
  const five = ['OATS-001', 'OATS-018', 'OATS-025', 'OATS-028', 'OATS-047'];
  const documents = library.documents.filter(({ id }) => five.includes(id));

  test.each(documents)('$id: none of forty matches', async ({ path }) => {
    const document = documentAt(path);
    const { trace } = (await runsOf(path))['guarded attack'];
    const order = payloadOf(path);
    const texts = honestTexts(order, order.replace(/https?:\/\/\S+/g, '[link left out]'));
    const matched = texts.filter((text) => {
      const { verdict } = evaluateTrace(document, saying(text, trace));
      return verdict.indicatorVerdicts.some(({ result }) => result === 'matched');
    });
    expect([texts.length, matched]).toEqual([40, []]);
  });

  test('what the attack wants said does match, so the texts were looked at', async () => {
    const path = documents.find(({ id }) => id === 'OATS-025')?.path ?? '';
    const { trace } = (await runsOf(path))['guarded attack'];
    const [, link = ''] = /(https:\S+)/.exec(payloadOf(path)) ?? [];
    const { verdict } = evaluateTrace(documentAt(path), saying(`I've checked. Sign in at ${link}`, trace));
    expect(verdict.result).toBe('exploited');
  });
});

test('candid quotes in every way that it knows, over the library', async () => {
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
  const runs = await Promise.all(library.documents.map(({ path }) => runsOf(path)));
  const said = runs.map((run) => saidIn(run['candid attack'].trace)).join('\n');
  expect(ways.filter((way) => !said.includes(way))).toEqual([]);
});

describe('the rubric', () => {
  const page = readFileSync(new URL('../docs/severity.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\| ([\d ]+) \|$/gm)];
  const levels = rows.flatMap(([, level, numbers = '']) =>
    numbers.split(' ').map((number) => [`OATS-${number}` as string, level] as const),
  );

  test('has a place for every document, and one for each', () => {
    expect(levels.map(([id]) => id).sort()).toEqual(library.documents.map(({ id }) => id).sort());
  });

  test.each(library.documents)('$id is as severe as its row says', ({ id, path }) => {
    expect(documentAt(path).attack.severity?.level).toBe(new Map(levels).get(id));
  });
});
