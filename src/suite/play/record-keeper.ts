import type { BindingViews, TokenCount } from '../../format/model/binding-views.ts';
import { observedProtocol } from '../../format/model/observation.ts';
import { isEndRecord, isMessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import type { Redacted, Redactor } from '../../secrets/redactor.ts';
import type { TraceJudge } from './judge-trace.ts';
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

/** Adds up the tokens that an agent reports in its messages; the total is undefined if it reports none. */
export function countTokens(views: readonly BindingViews[]): {
  add(record: TraceRecord): void;
  total(): TokenCount | undefined;
} {
  const counting = views.filter(({ usage }) => usage !== undefined);
  let total: TokenCount | undefined;
  return {
    add(record) {
      if (!isMessageRecord(record)) return;
      for (const { protocol, usage } of counting) {
        const count = protocol === record.protocol ? usage?.(record) : undefined;
        if (count === undefined) continue;
        total = {
          inputTokens: (total?.inputTokens ?? 0) + count.inputTokens,
          outputTokens: (total?.outputTokens ?? 0) + count.outputTokens,
        };
      }
    },
    total: () => total,
  };
}

/** How long items are gathered, how many at most, and how long one slice of work may take. */
const gatherMs = 2;
const mostGathered = 512;
const sliceMs = 0.1;

/** A queue of work that waits until peers have been answered. */
interface SlicedQueue<T> {
  add(item: T): void;
  /** Finishes all waiting work. */
  drain(): Promise<void>;
}

/**
 * Peers are answered first. Items that arrive together are then handled together, which costs less than handling them
 * between two answers. A slice is short enough that a peer with a new request does not notice it. If more items come in
 * than slices can handle, they are handled at once and peers wait, so that the items do not pile up.
 *
 * The handler is prepared only when there are items.
 */
export function createSlices<T>(prepare: () => Promise<(item: T) => void>): SlicedQueue<T> {
  let waiting: T[] = [];
  let handle: ((item: T) => void) | undefined;
  let preparation: Promise<(item: T) => void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;

  const prepared = async (): Promise<(item: T) => void> => {
    preparation ??= prepare();
    handle = await preparation;
    return handle;
  };

  /** Items may be added while one is handled. */
  function work(act: (item: T) => void, until: number): void {
    let done = 0;
    try {
      while (done < waiting.length && (done % 4 !== 0 || performance.now() < until)) {
        done += 1;
        act(waiting[done - 1] as T);
      }
    } finally {
      waiting = waiting.slice(done);
    }
  }

  function slice(): void {
    timer = undefined;
    turn = undefined;
    // `drain` reports a preparation that fails.
    if (handle === undefined) prepared().then(slice, () => {});
    else {
      work(handle, waiting.length < mostGathered ? performance.now() + sliceMs : Number.POSITIVE_INFINITY);
      // Between slices the event loop reads the messages of peers and answers them.
      if (waiting.length > 0) turn ??= setImmediate(slice);
    }
  }

  return {
    add(item) {
      waiting.push(item);
      // Runs after the current turn of the event loop, so that the answers of that turn go first.
      if (waiting.length >= mostGathered) turn ??= setImmediate(slice);
      else if (turn === undefined) timer ??= setTimeout(slice, gatherMs);
    },
    async drain() {
      const act = await prepared();
      clearTimeout(timer);
      clearImmediate(turn);
      timer = undefined;
      turn = undefined;
      work(act, Number.POSITIVE_INFINITY);
    },
  };
}
