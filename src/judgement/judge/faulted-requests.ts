import { type AgentActivity, refusesFaulted } from '../../format/model/binding-views.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import { type MarkerRecord, type MessageRecord, mayRefuseFaulted } from '../../format/model/trace-record.ts';
import { type Incident, noteIncident } from './delivery-facts.ts';
import { joinKey } from './piece-state.ts';

// A document may have its own requests sent broken. An agent that refuses such a request has not failed.

export interface FaultedRequests {
  /** Requests that the document had sent broken (true: still sent whole). */
  readonly isWhole: Map<string, boolean>;
  /** Answers to them that could not be read. */
  readonly doubtful: Incident[];
  /** Refusals of them. They show that the agent works only if it has answered something else. */
  readonly declined: Incident[];
  lastDeclined: number;
}

export function createFaultedRequests(): FaultedRequests {
  return { isWhole: new Map(), doubtful: [], declined: [], lastDeclined: -1 };
}

/** Whether a record belongs to a broken request. */
export function isOfFaulted(faulted: FaultedRequests, record: MessageRecord | MarkerRecord): boolean {
  return findWhole(faulted, record) !== undefined;
}

/** Whether the broken request that a record belongs to was still sent whole; undefined if it belongs to none. */
function findWhole(
  { isWhole }: FaultedRequests,
  { actor = '', id, session }: MessageRecord | MarkerRecord,
): boolean | undefined {
  if (isWhole.size === 0) return undefined;
  const [first, second] = [id, session].map((name) =>
    name === undefined ? undefined : isWhole.get(joinKey(actor, stringifyJson(name))),
  );
  return first ?? second;
}

/** An agent that refuses a broken request is alive, and so is one that answers a request that was not sent whole. */
export function excuseAnswer(faulted: FaultedRequests, record: MessageRecord, given: AgentActivity): AgentActivity {
  const isWhole = findWhole(faulted, record);
  if (isWhole === undefined) return given;
  const { trouble, ...others } = given;
  if (trouble !== undefined) {
    if (!refusesFaulted(given)) return given;
    noteDeclined(faulted, record.seq, { actor: record.actor, reason: trouble });
    return others;
  }
  return record.kind === 'response' && !isWhole ? { ...given, alive: true } : given;
}

/**
 * Whether the end of a broken request is not a failure of the agent: it refused the request, or we left. `unread` receives
 * answers to the request that could not be read, if nothing shows that it was refused.
 */
export function excuseEnd(
  faulted: FaultedRequests,
  marker: MarkerRecord,
  incident: Incident,
  unread: Incident[],
): boolean {
  if (!isOfFaulted(faulted, marker)) return false;
  const { seq, status } = marker;
  const isRefused = typeof status === 'number';
  if (isRefused && !mayRefuseFaulted(status)) return false;
  // An unreadable text beside a refusal belongs to it. Without a refusal it may be an answer that we could not read.
  if (isRefused) noteDeclined(faulted, seq, incident);
  else for (const each of faulted.doubtful) noteIncident(unread, each);
  faulted.doubtful.length = 0;
  return true;
}

function noteDeclined(faulted: FaultedRequests, seq: number, { actor, reason }: Incident): void {
  faulted.lastDeclined = seq;
  noteIncident(faulted.declined, { ...(actor !== undefined && { actor }), reason, refuses: true });
}
