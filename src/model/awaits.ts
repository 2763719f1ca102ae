/** Where a phase says what it waits for: an extension of ours (docs/extensions.md). */
export const awaitKey = 'x-await';

/** An entry of `x-await` as it is written. */
export interface WrittenAwait {
  /** The actor itself if left out. */
  readonly actor?: string;
  readonly extractors: readonly string[];
  /** Half a minute if left out. */
  readonly within?: string;
}
