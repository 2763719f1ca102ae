import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { directionOf } from '../../format/primitives/message-value.ts';

/** The fields of an indicator that select its messages. */
export type IndicatorScope = Pick<NormalizedIndicator, 'protocol' | 'surface' | 'actor' | 'direction'>;

/**
 * Whether an indicator looks at a message: by protocol, then surface, actor and direction (format spec §6.1). Without a
 * direction it looks at what the agent sent. SDK spec §2.12 leaves that choice to the tool, and our own text is not an act
 * of the agent.
 */
export function selects(indicator: IndicatorScope, record: MessageRecord): boolean {
  return (
    record.protocol === indicator.protocol &&
    (indicator.surface === undefined || record.method === indicator.surface) &&
    (indicator.actor === undefined || record.actor === indicator.actor) &&
    (indicator.direction === undefined ? record.origin === 'agent' : directionOf(record) === indicator.direction)
  );
}
