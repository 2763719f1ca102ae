import { stringifyJson } from '../../format/model/json-text-values.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';
import { joinKey } from './piece-state.ts';

/** The ids of a client's requests are its session's own. */
export function formatRequestKey(actor: string, session: string | undefined, id: Value): string {
  return joinKey(actor, stringifyJson([session ?? null, id]));
}

/** An answer names its request by id. In a protocol without ids, each request has its own session. */
export function formatAnswerKey({ id, session }: MessageRecord): string {
  return stringifyJson((id ?? session ?? null) as Value);
}
