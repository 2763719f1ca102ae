import { isMessageRecord, type TraceRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import type { Sink } from '../../io.ts';
import { createDescriber } from '../../trace/describe-record.ts';

export interface LiveOptions {
  readonly sink: Sink;
  readonly verbose: boolean;
  readonly redactor: Redactor;
}

export interface LiveView {
  record(record: TraceRecord): void;
  /** Shows the lines kept so far, and from then on each line as it comes. */
  start(): void;
  /** Resolves once every line has been shown. */
  settled(): Promise<void>;
}

/** A flooding agent may be faster than the terminal, and must not fill the memory. */
const mostPending = 256 * 1024;

/** Shows records as they come, one line each. */
export function createLiveView({ sink, verbose, redactor }: LiveOptions): LiveView {
  const describe = createDescriber({
    sink,
    full: verbose,
    redactor,
    ...(!verbose && { summarize: summarizeContent }),
  });
  let pending = '';
  let unseen = 0;
  let started = false;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (pending !== '') {
      const note = unseen === 0 ? '' : sink.colours.dim(`… ${unseen} more records; the trace has them\n`);
      const text = pending + note;
      pending = '';
      unseen = 0;
      await sink.write(text);
    }
    writing = undefined;
  }

  function push(): void {
    if (started && pending !== '') writing ??= write();
  }

  return {
    record(record) {
      if (pending.length >= mostPending) unseen += 1;
      else
        pending += isMessageRecord(record)
          ? describe.message({ ...record, fromAgent: record.origin === 'agent' })
          : describe.marker(record);
      push();
    },
    start() {
      started = true;
      push();
    },
    async settled() {
      await writing;
    },
  };
}

/** A message in a few words, without its contents. */
function summarizeContent(content: Value): string {
  if (typeof content === 'string') return content;
  if (!isValueMap(content)) return '';
  const { code, message, level } = content;
  if (typeof code === 'number') return `error ${code}: ${String(message ?? '')}`;
  if (typeof level === 'string' && typeof message === 'string') return `${level}: ${message}`;
  return findContentName(content) ?? summarizeLists(content);
}

const names = ['name', 'uri', 'reason', 'event', 'requestId', 'level'];
const parts = ['clientInfo', 'serverInfo', 'ref'];

function findContentName(content: ValueMap): string | undefined {
  for (const key of names) {
    const value = content[key];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  for (const key of parts) {
    const part = content[key];
    if (isValueMap(part)) return [part.name, part.version].filter((each) => each !== undefined).join(' ');
  }
  return undefined;
}

function summarizeLists(content: ValueMap): string {
  return Object.entries(content)
    .flatMap(([key, list]) => (Array.isArray(list) ? [summarizeList(key, list)] : []))
    .join('; ');
}

function summarizeList(key: string, list: readonly Value[]): string {
  const items = list.flatMap((item) => {
    const word = isValueMap(item) ? (item.name ?? item.uri ?? item.type) : undefined;
    return typeof word === 'string' ? word : [];
  });
  if (items.length > 0) return `${key}: ${items.slice(0, 20).join(', ')}`;
  return list.length === 0 ? `no ${key}` : `${key}: ${list.length}`;
}
