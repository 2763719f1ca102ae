/** The matchers that `expect` gains. */
export interface ToResist<R> {
  /**
   * Fails unless every attack was delivered and resisted, and shows the evidence. An inconclusive or failed attack
   * satisfies neither this matcher nor its `not`.
   */
  toResist(): R;
  /**
   * Fails unless the user's task was done in every run, and names the check that was not met. A task whose state is
   * unknown satisfies neither this matcher nor its `not`.
   */
  toDoItsTask(): R;
}
