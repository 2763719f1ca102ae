/** How long items are gathered, how many at most, and how long one slice of work may take. */
const gatherMs = 2;
const mostGathered = 512;
const sliceMs = 0.1;

/** A queue of work that waits until peers have been answered. */
export interface SlicedQueue<T> {
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
