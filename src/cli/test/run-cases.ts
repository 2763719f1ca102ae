import {
  type BuiltInAgentName,
  builtInAgent,
  type Victim,
  victimAgent,
} from '../../agents/built-in/built-in-agents.ts';
import { traceEvaluator } from '../../evaluate-trace.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { RunEntry } from '../../format/model/results-file.ts';
import type { Value, ValueMap } from '../../format/model/value.ts';
import { readRecord } from '../../judgement/evaluate/read-record.ts';
import { type PlayableDocument, planSuite } from '../../suite/plan/plan.ts';
import { deriveTwins } from '../../suite/plan/twins.ts';
import { playSuite, type Suite } from '../../suite/play-suite.ts';
import type { Exit } from '../command-outcome.ts';
import { readTrace } from '../input/read-trace.ts';
import type { Io } from '../io.ts';
import { createPlanSettings } from '../run/plan/plan-settings.ts';
import { type FoundResult, toFoundInRun, toFoundInTrace } from './found-results.ts';
import type { TestCase, TestFile } from './test-file.ts';

export type CaseResult =
  | { readonly ok: true; readonly found: FoundResult }
  | { readonly ok: false; readonly problem: string; readonly exit?: Exit };

export interface CaseRunOptions {
  readonly signal: AbortSignal;
  /** The observer of the runs against agents. */
  readonly watch?: Suite['watch'];
}

/** Runs every case of a file against one document. Cases against agents are played together. */
export async function runCases(
  { cases, prompt }: TestFile,
  playable: PlayableDocument,
  folder: Io,
  { signal, watch }: CaseRunOptions,
): Promise<ReadonlyMap<TestCase, CaseResult>> {
  const results = new Map<TestCase, CaseResult>();
  const runs = await playAgents(cases, playable, prompt, { signal, watch });
  for (const test of cases) results.set(test, await runCase(test, playable.document, runs, folder));
  return results;
}

async function runCase(
  test: TestCase,
  document: NormalizedDocument,
  runs: readonly RunEntry[],
  folder: Io,
): Promise<CaseResult> {
  switch (test.kind) {
    case 'agent': {
      const own = runs.filter(({ agent }) => agent === test.agent);
      const run = own.find(({ twin }) => twin !== true);
      if (run === undefined) return { ok: false, problem: 'it was not played' };
      return {
        ok: true,
        found: toFoundInRun(
          run,
          own.find(({ twin }) => twin === true),
        ),
      };
    }
    case 'messages':
      return judge(
        document,
        test.messages.map((message, index) => createTestRecord(message, index, document)),
      );
    case 'trace':
      return judgeFile(document, test.trace, folder);
  }
}

function judge(document: NormalizedDocument, records: readonly Value[]): CaseResult {
  const evaluator = traceEvaluator(document);
  for (const [index, value] of records.entries()) {
    const read = readRecord(value, document);
    if (!read.ok) return { ok: false, problem: `message ${index + 1}: ${read.message}` };
    evaluator.add(read.record);
  }
  const { verdict, ...judged } = evaluator.finish();
  return { ok: true, found: toFoundInTrace(verdict, judged) };
}

/** A record from a message written by hand. Missing fields are filled in from the document. */
function createTestRecord(message: ValueMap, index: number, document: NormalizedDocument): Value {
  const { actor, from = 'agent', method = '', content = {} } = message;
  return {
    seq: index + 1,
    timestamp: '1970-01-01T00:00:00.000Z',
    actor: actor ?? document.attack.execution.actors[0]?.name ?? '',
    direction: from === 'agent' ? 'incoming' : 'outgoing',
    method,
    content,
  };
}

async function judgeFile(document: NormalizedDocument, file: string, folder: Io): Promise<CaseResult> {
  const evaluator = traceEvaluator(document);
  const reading = await readTrace(
    file,
    {
      accept(value) {
        const read = readRecord(value, document);
        if (!read.ok) return read.message;
        evaluator.add(read.record);
        return undefined;
      },
    },
    false,
    folder,
  );
  if (reading.kind === 'failed')
    return { ok: false, problem: `the trace ${file} cannot be used`, exit: reading.outcome.exit };
  const { verdict, ...judged } = evaluator.finish();
  return { ok: true, found: toFoundInTrace(verdict, judged) };
}

/** Built-in agents wait more than they compute, so several run at a time. */
const atATime = 6;

const settings = { delivery: 'payload', era: undefined, projections: true, redact: false } as const;

async function playAgents(
  cases: readonly TestCase[],
  playable: PlayableDocument,
  prompt: string | undefined,
  options: CaseRunOptions,
): Promise<readonly RunEntry[]> {
  const asked = cases.filter((test) => test.kind === 'agent');
  const names = new Set(asked.map(({ agent }) => agent as BuiltInAgentName));
  if (names.size === 0) return [];
  const documents = asked.some(({ expect }) => expect.twin !== undefined)
    ? [playable, ...deriveTwins([playable])]
    : [playable];
  return playBuiltInAgents(documents, [...names], prompt, options);
}

/** Plays each document once against each of these agents: built-in ones by their names, or victims. */
export async function playBuiltInAgents(
  documents: readonly PlayableDocument[],
  players: readonly (BuiltInAgentName | Victim)[],
  prompt: string | undefined,
  { signal, watch }: CaseRunOptions,
): Promise<readonly RunEntry[]> {
  const agents = players.map((player) => (typeof player === 'string' ? builtInAgent(player) : victimAgent(player)));
  const plan = planSuite({ documents, agents, settings: createPlanSettings({ ...settings, prompt }) });
  const { results } = await playSuite({
    plan,
    documents,
    agents,
    pace: { concurrency: atATime, signal },
    settings: { prompt },
    ...(watch !== undefined && { watch }),
  });
  return results?.runs ?? [];
}
