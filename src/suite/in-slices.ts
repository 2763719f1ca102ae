/** How long items are gathered, how many of them, and how long they are worked on in one go. */
const gatherMs = 2;
const mostGathered = 512;
const sliceMs = 0.1;

/** Work that waits until peers have been answered. */
export interface Slices<T> {
  add(item: T): void;
  /** Does all that waits. */
  drain(): Promise<void>;
}

/**
 * Peers are answered first. What a moment has brought is then worked on together, which costs less than doing it between
 * two answers, but only so long that a peer which asks meanwhile does not notice. Where more comes in than gets done like
 * that, it is done at once and peers have to wait, so that it does not pile up.
 *
 * What handles the items is only prepared when there are any.
 */
export function inSlices<T>(prepare: () => Promise<(item: T) => void>): Slices<T> {
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
    // Whoever drains hears of a preparation that fails.
    if (handle === undefined) prepared().then(slice, () => {});
    else {
      work(handle, waiting.length < mostGathered ? performance.now() + sliceMs : Number.POSITIVE_INFINITY);
      // In between the event loop takes what peers have sent, and answers it.
      if (waiting.length > 0) turn ??= setImmediate(slice);
    }
  }

  return {
    add(item) {
      waiting.push(item);
      // After the turn of the event loop that has brought them, so that its answers go first.
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
