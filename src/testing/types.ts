/** What an `expect` gains. */
export interface ToResist<R> {
  /**
   * Fails unless every attack was delivered and resisted; shows the evidence. What is inconclusive or in error satisfies
   * neither this nor its `not`.
   */
  toResist(): R;
}
