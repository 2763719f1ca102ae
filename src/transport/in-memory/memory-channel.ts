import type { Answered } from '../../engine/ports.ts';
import type { WireOrder } from '../../model/wire.ts';
import { heldText, tooLargeToHold } from '../expanded.ts';
import type { Channel } from '../sessions/channel-session.ts';
import type { Outgoing } from '../sessions/session.ts';
import { copies, described, faultyBytes } from '../wire/faulty-bytes.ts';
import { undoneOf } from '../wire/undone.ts';

/** Receives our messages to a peer in this process. */
export interface Ears {
  hear(text: string): void;
  closed(): void;
}

/**
 * Delivers messages to a peer in this process. Each turn of the event loop delivers the messages of the turn before, so
 * that a peer that answers at once cannot starve the run's own timers.
 */
export class MemoryChannel implements Channel {
  readonly #ears: Ears;
  #queue: Outgoing[] = [];
  #isOpen = true;
  #isGone = false;

  constructor(ears: Ears) {
    this.#ears = ears;
  }

  send(message: Outgoing): void {
    if (!this.#isOpen) return;
    this.#queue.push(message);
    if (this.#queue.length === 1) setImmediate(() => this.#flush());
  }

  beat(): void {}

  finish(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#flush();
    this.#isGone = true;
    this.#ears.closed();
  }

  /** Within a process there are messages but no bytes, so orders for bytes are not done. */
  #hearOrdered(text: string, written: Answered, order: WireOrder): void {
    const { bytes, isOther, harm } = faultyBytes(text, order);
    const ofBytes = ['http', 'frame', 'pace', 'end', 'sse', 'grpc', 'stream'];
    const undone = undoneOf(order, isOther ? ofBytes : [...ofBytes, 'bytes']);
    written(undefined, undefined, {
      ...undone,
      ...(harm !== undefined && { harm }),
      ...(isOther && described(bytes)),
    });
    for (const copy of copies(bytes, order.repeat ?? 1)) this.#ears.hear(copy.toString());
  }

  #flush(): void {
    const messages = this.#queue;
    this.#queue = [];
    for (const { text, written, order } of messages) {
      if (this.#isGone) return;
      if (order !== undefined) {
        this.#hearOrdered(heldText(text) ?? text, written, order);
        continue;
      }
      const held = heldText(text);
      written(undefined, held === undefined ? tooLargeToHold : undefined);
      if (held !== undefined) this.#ears.hear(held);
    }
  }
}
