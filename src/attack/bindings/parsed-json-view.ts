import type { Projection } from '../../format/model/binding-views.ts';
import { parseJsonString } from '../../format/model/json-text-values.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { isValueMap, setOwn, type Value } from '../../format/model/value.ts';
import { directionOf } from '../../format/primitives/message-value.ts';

/** A second view of an agent's message, in which JSON strings are parsed. The message as sent stays beside it. */
export function projectParsedJson(record: MessageRecord): readonly Projection[] {
  const { content: value, origin } = record;
  if (origin !== 'agent' || !isValueMap(value)) return [];
  let content: Record<string, Value> | undefined;
  for (const key in value) {
    const folded = value[key];
    if (typeof folded !== 'string') continue;
    const inner = parseJsonString(folded);
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
