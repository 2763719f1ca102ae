import type { AttackVerdict, IndicatorVerdict } from '../../../src/format/model/attack-verdict.ts';
import type { EndRecord } from '../../../src/format/model/trace-record.ts';
import type { DeliveryFacts } from '../../../src/judgement/judge/delivery-facts.ts';
import type { PlacedPiece } from '../../../src/judgement/judge/list-pieces.ts';
import type { Need, Needs } from '../../../src/judgement/judge/needs.ts';
import type { JudgedRun } from '../../../src/judgement/judge/run-outcome.ts';

// The smallest facts of a run, in which the agent resisted; a row of a table changes one of them.

export function endOf(more: { readonly [K in keyof EndRecord]?: EndRecord[K] | undefined } = {}): EndRecord {
  const common = {
    seq: 9,
    timestamp: '',
    kind: 'end',
    reason: 'idle',
    demand: 'payload',
    skipped: [],
  } as const;
  return { ...common, ...more } as EndRecord;
}

export function pieceOf(more: Partial<PlacedPiece> = {}): PlacedPiece {
  return {
    actor: 'server',
    mode: 'mcp_server',
    phase: 'one',
    phaseIndex: 0,
    at: '/a',
    kind: 'tool',
    label: 'the tool "a"',
    surfaces: ['tools'],
    ...more,
  };
}

export function needing(...pieces: readonly Partial<PlacedPiece>[]): Needs {
  return needsOfAll(pieces.map((piece) => ({ anyOf: [pieceOf(piece)] })));
}

export function needsOfAll(needs: readonly Need[], more: Partial<Needs> = {}): Needs {
  return { inferred: false, needs, unplayed: [], ...more };
}

/** `/a` has come with record 3, in the answer to no use, and the agent has used something since. */
export function factsOf(more: Partial<DeliveryFacts> = {}): DeliveryFacts {
  return {
    actors: { server: actorOf() },
    contacts: new Map(),
    end: endOf(),
    hasPieces: true,
    isVisible: false,
    lastActivity: 4,
    lastUse: 4,
    troubles: [],
    cuts: [],
    unread: [],
    overdue: [],
    findArrival: arrivals({ '/a': 3 }),
    findRefusal: () => undefined,
    findAbsence: () => undefined,
    wasBegun: () => false,
    wasSent: () => false,
    lacksCapability: () => false,
    usesSurface: () => false,
    wasMasked: () => false,
    turnedDown: [],
    lastRefusal: -1,
    ...more,
  };
}

export function actorOf(more: object = {}): DeliveryFacts['actors'][string] {
  const common = { mode: 'mcp_server', reached: true, engaged: true, served: 1 };
  return { ...common, phases: ['one'], phases_entered: ['one'], ...more };
}

/** Each pointer, and the record that it came with. */
export function arrivals(seqs: { readonly [at: string]: number }, byUse = false): DeliveryFacts['findArrival'] {
  return (_, at) => {
    const seq = seqs[at];
    return seq === undefined ? undefined : { seq, byUse };
  };
}

export function verdictOf(result: AttackVerdict['result'], ...each: readonly Partial<IndicatorVerdict>[]) {
  const indicatorVerdicts = each.map((fields, at): IndicatorVerdict => {
    return { indicatorId: `I${at + 1}`, result: 'not_matched', ...fields };
  });
  const evaluationSummary = { matched: 0, notMatched: 0, error: 0, skipped: 0 };
  return { result, indicatorVerdicts, evaluationSummary } satisfies AttackVerdict;
}

export function caseOf(more: Partial<JudgedRun> = {}): JudgedRun {
  return {
    verdict: verdictOf('not_exploited', {}),
    agentVerdict: verdictOf('not_exploited', {}),
    indicators: [],
    facts: factsOf(),
    needs: needing({}),
    isStrict: false,
    isOtherAttack: false,
    ...more,
  };
}
