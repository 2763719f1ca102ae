import type { BindingViews, TokenCount } from '../../format/model/binding-views.ts';
import { observedProtocol } from '../../format/model/observation.ts';
import { isEndRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import type { Redacted, Redactor } from '../../secrets/redactor.ts';
import type { TraceJudge } from './judge-trace.ts';
import { createSlices } from './sliced-queue.ts';
import { countTokens } from './token-count.ts';
import { TraceFile } from './trace-file.ts';

/** Judges, masks and stores the records of a run, after its peers have been answered. */
export interface RecordKeeper {
  add(record: TraceRecord): void;
  /** Resolves once every record so far is judged and handed to the trace. */
  drain(): Promise<void>;
  /** Writes everything to the file of the trace. */
  flush(): void;
  close(): void;
  /** The number of the record that follows. */
  nextSeq(): number;
  /** The tokens that the agent reports in the records. */
  tokens(): TokenCount | undefined;
}

export interface RecordKeeperOptions {
  readonly views: readonly BindingViews[];
  /** Masks what is stored. */
  readonly redactor: Redactor;
  readonly traceFile?: string | (() => string | undefined) | undefined;
  /** The most bytes of the trace. */
  readonly traceBytes: number;
  judge(): Promise<TraceJudge>;
  /** Called with each record that is kept. */
  kept?(record: Redacted<TraceRecord>): void;
  /** Called for each record that the trace has no room for. */
  dropped(): void;
  /** Called when the trace can no longer be written. */
  failed(reason: string): void;
}

export function createRecordKeeper(options: RecordKeeperOptions): RecordKeeper {
  const { views, redactor, traceFile } = options;
  const tokens = countTokens(views);
  const trace = traceFile === undefined ? undefined : new TraceFile(traceFile, options.failed);
  let last = -1;
  let room = options.traceBytes;
  const slices = createSlices(async () => {
    const judge = await options.judge();
    return (record: TraceRecord): void => {
      // A record that the trace has no room for is not judged either: the trace alone must give the same verdict.
      if (room <= 0 && !isEndRecord(record) && record.protocol !== observedProtocol) {
        options.dropped();
        return;
      }
      tokens.add(record);
      judge.add(record);
      const kept = redactor.record(record);
      room -= trace?.write(kept) ?? 0;
      options.kept?.(kept);
      last = record.seq;
    };
  });
  return {
    add: slices.add,
    drain: slices.drain,
    flush: () => trace?.flush(),
    close: () => trace?.close(),
    nextSeq: () => last + 1,
    tokens: tokens.total,
  };
}
