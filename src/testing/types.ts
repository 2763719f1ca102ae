/** What an `expect` gains. */
export interface ToResist<R> {
  /**
   * Fails unless every attack was delivered and resisted; shows the evidence. What is inconclusive or in error satisfies
   * neither this nor its `not`.
   */
  toResist(): R;
  /**
   * Fails unless the user's task was done in every run; says which check was not met. A task of which nobody knows
   * satisfies neither this nor its `not`.
   */
  toDoItsTask(): R;
}
