import type { BindingViews, SpokenText } from '../../format/model/binding-views.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { isMessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import { isClientMode } from '../../format/registry/known-modes.ts';
import { listTexts } from './document-texts.ts';

/** What the agent and its user said to each other in a run. */
export interface UserWords {
  /** What the agent said, in order. */
  readonly said: readonly SpokenText[];
  /** What a user said who is in no document, such as the prompt of a configuration. */
  readonly asked: readonly string[];
  /** Whether more was said than is kept. */
  readonly isCut: boolean;
}

export interface UserWordsTracker {
  add(record: TraceRecord): void;
  words(): UserWords;
}

/** The most characters that are kept of each side of a run. */
const mostKept = 256 * 1024;

/** Collects, record by record, what the agent said to its user. The memory for it is bounded. */
export function trackUserWords({ attack }: NormalizedDocument, views: readonly BindingViews[]): UserWordsTracker {
  const actors = new Set(attack.execution.actors.map(({ name }) => name));
  const readers = new Map(
    views.flatMap(({ protocol, createWordsReader }) =>
      createWordsReader === undefined ? [] : [[protocol as Protocol, createWordsReader()] as const],
    ),
  );
  const said: SpokenText[] = [];
  const asked: string[] = [];
  let room = mostKept;
  let roomToAsk = mostKept;
  let isCut = false;
  const keep = (texts: readonly SpokenText[]): void => {
    for (const { record, text } of texts) {
      isCut ||= text.length > room;
      if (room > 0 && text !== '') said.push({ record, text: text.slice(0, room) });
      room = Math.max(0, room - text.length);
    }
  };
  return {
    add(record) {
      if (!isMessageRecord(record) || !isClientMode(record.mode)) return;
      keep(readers.get(record.protocol)?.add(record) ?? []);
      if (record.origin === 'agent' || actors.has(record.actor)) return;
      for (const text of listTexts(record.content)) {
        if (roomToAsk > 0) asked.push(text.slice(0, roomToAsk));
        roomToAsk = Math.max(0, roomToAsk - text.length);
      }
    },
    words() {
      for (const reader of readers.values()) keep(reader.finish?.() ?? []);
      return { said, asked, isCut };
    },
  };
}
