import type { AgentActivity, BindingViews } from '../../format/model/binding-views.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import { observedProtocol } from '../../format/model/observation.ts';
import {
  isBesideFailure,
  isMessageRecord,
  type MarkerRecord,
  type MessageRecord,
  type TraceRecord,
} from '../../format/model/trace-record.ts';
import { removeEchoes } from '../evaluate/message-view.ts';
import { createEchoes, type Echoes } from '../evaluate/trace-echoes.ts';

/** A record, with what its binding reads in it about the agent. */
export type InterpretedRecord =
  | { readonly from: 'agent' | 'us'; readonly record: MessageRecord; readonly activity: AgentActivity }
  /** An observation of the agent (its process, its time) is not a message that it sent. */
  | { readonly from: 'observation'; readonly record: MessageRecord }
  /** `byUse`: the agent had used something (called a tool, say), and the withheld message was the answer. */
  | { readonly from: 'marker'; readonly record: MarkerRecord; readonly byUse: boolean };

/** The readers of the bindings. A reader remembers earlier messages, so each record is read once, in order. */
interface RecordReaders {
  readonly views: ReadonlyMap<Protocol, BindingViews>;
  readonly activity: ReadonlyMap<Protocol, (record: MessageRecord) => AgentActivity>;
  /** The agent's echo of our own text does not show that it is alive, so it is blanked before the activity is read. */
  readonly echoes: Echoes | undefined;
}

export function createReaders(views: readonly BindingViews[]): RecordReaders {
  const byProtocol = new Map<Protocol, BindingViews>(views.map((view) => [view.protocol, view]));
  return {
    views: byProtocol,
    activity: new Map(views.map((view) => [view.protocol, view.createActivityReader?.() ?? view.activity])),
    echoes: createEchoes(views, new Set(byProtocol.keys())),
  };
}

export function interpretRecord(readers: RecordReaders, record: TraceRecord): InterpretedRecord {
  if (!isMessageRecord(record)) return { from: 'marker', record, byUse: wouldAnswerUse(readers, record) };
  if (record.protocol === observedProtocol) return { from: 'observation', record };
  if (isBesideFailure(record)) return { from: 'agent', record, activity: noActivity };
  const from = record.origin === 'agent' ? 'agent' : 'us';
  const ours = readers.echoes?.add(record) ?? [];
  const own = ours.length === 0 ? record : { ...record, content: removeEchoes(record.content, ours, null) };
  const activity = readers.activity.get(record.protocol)?.(own) ?? (from === 'agent' ? unknownActivity : noActivity);
  return { from, record, activity };
}

const noActivity: AgentActivity = {};
/** In a protocol without a binding, every message of the agent counts as a use. */
const unknownActivity: AgentActivity = { use: true };

function wouldAnswerUse({ views }: RecordReaders, marker: MarkerRecord): boolean {
  const { kind, seq, actor, method, mode, protocol } = marker;
  if (kind !== 'wire' || actor === undefined || !Array.isArray(marker.pieces)) return false;
  const known = { seq, actor, mode: String(mode), protocol: String(protocol), method: String(method) };
  const like = { ...known, timestamp: '', kind: 'response', origin: 'attacker', content: {} } as const;
  return views.get(known.protocol)?.activity(like).use === true;
}
