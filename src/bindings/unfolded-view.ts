import type { MessageRecord } from '../model/trace.ts';
import { unfolded } from '../model/unfolded.ts';
import { isValueMap, setOwn, type Value } from '../model/value.ts';
import type { Projection } from '../model/views.ts';
import { directionOf } from '../primitives/direction-of.ts';

/** A second view of an agent's message, in which JSON strings are parsed. The message as sent stays beside it. */
export function unfoldedView(record: MessageRecord): readonly Projection[] {
  const { content: value, origin } = record;
  if (origin !== 'agent' || !isValueMap(value)) return [];
  let content: Record<string, Value> | undefined;
  for (const key in value) {
    const folded = value[key];
    if (typeof folded !== 'string') continue;
    const inner = unfolded(folded);
    if (inner === folded) continue;
    content ??= { ...value };
    setOwn(content, key, inner);
  }
  if (content === undefined) return [];
  return [
    {
      path: 'text read as JSON',
      content,
      record: record.seq,
      protocol: record.protocol,
      direction: directionOf(record),
      stream: { last: record, surfaces: [record.method], isWhole: true },
    },
  ];
}
