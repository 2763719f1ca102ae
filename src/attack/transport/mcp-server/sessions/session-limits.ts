/**
 * Limits on how much a peer can make us hold, over any transport. Past a limit the peer is refused, or the oldest item
 * is dropped.
 */
export interface SessionLimits {
  /** The most bytes of unreadable content that are recorded. */
  readonly recordedBytes: number;
  /** The nesting depth of JSON. */
  readonly depth: number;
  /** Requests that wait for their answers. */
  readonly exchangesPerSession: number;
  readonly exchanges: number;
  /** Messages of ours that wait to go out, and requests of ours that wait for the peer's answers. */
  readonly waitingPerSession: number;
}

export const messageBytes = 16 * 1024 * 1024;

export const defaultSessionLimits: SessionLimits = {
  recordedBytes: 64 * 1024,
  depth: 512,
  exchangesPerSession: 128,
  exchanges: 4096,
  waitingPerSession: 1000,
};
