/** The key by which a phase says what it waits for. It is our extension (docs/extensions/README.md). */
export const awaitKey = 'x-await';

/** An entry of `x-await` as the document writes it. */
export interface WrittenAwait {
  /** Default: the actor itself. */
  readonly actor?: string;
  readonly extractors: readonly string[];
  /** Default: half a minute. */
  readonly within?: string;
}
