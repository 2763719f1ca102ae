/** How much a peer can make us hold, however it is connected. Past a limit it is refused, or the oldest is given up. */
export interface SessionLimits {
  /** How much of what cannot be read is kept for the record. */
  readonly recordedBytes: number;
  /** How deep JSON may be nested. */
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
