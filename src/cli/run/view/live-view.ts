import { isMessageRecord, type TraceRecord } from '../../../format/model/trace-record.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import type { Sink } from '../../io.ts';
import { createDescriber } from '../../trace/describe-record.ts';
import { summarizeContent } from './summarize-content.ts';

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
