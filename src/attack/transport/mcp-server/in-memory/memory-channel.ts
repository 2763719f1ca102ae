import type { AppliedWireRule } from '../../../../format/model/applied-wire-rule.ts';
import type { Answered } from '../../../engine/ports.ts';
import { expandText, tooLargeToHold } from '../../expand-generated.ts';
import { createFaultyBytes, describeBytes, repeatBytes } from '../../wire/faulty-bytes.ts';
import { findUnapplied } from '../../wire/unapplied-actions.ts';
import type { Channel } from '../sessions/channel-session.ts';
import type { OutgoingText } from '../sessions/peer-session.ts';

/** Receives our messages to a peer in this process. */
export interface MemoryListener {
  hear(text: string): void;
  closed(): void;
}

/**
 * Delivers messages to a peer in this process. Each turn of the event loop delivers the messages of the turn before, so
 * that a peer that answers at once cannot starve the run's own timers.
 */
export class MemoryChannel implements Channel {
  readonly #ears: MemoryListener;
  #queue: OutgoingText[] = [];
  #isOpen = true;
  #isGone = false;

  constructor(ears: MemoryListener) {
    this.#ears = ears;
  }

  send(message: OutgoingText): void {
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

  /** Within a process there are messages but no bytes, so actions on bytes are not carried out. */
  #hearOrdered(text: string, written: Answered, order: AppliedWireRule): void {
    const { bytes, isOther, harm } = createFaultyBytes(text, order);
    const ofBytes = ['http', 'frame', 'pace', 'end', 'sse', 'grpc', 'stream'];
    const unapplied = findUnapplied(order, isOther ? ofBytes : [...ofBytes, 'bytes']);
    written(undefined, undefined, {
      ...unapplied,
      ...(harm !== undefined && { harm }),
      ...(isOther && describeBytes(bytes)),
    });
    for (const copy of repeatBytes(bytes, order.repeat ?? 1)) this.#ears.hear(copy.toString());
  }

  #flush(): void {
    const messages = this.#queue;
    this.#queue = [];
    for (const { text, written, order } of messages) {
      if (this.#isGone) return;
      if (order !== undefined) {
        this.#hearOrdered(expandText(text) ?? text, written, order);
        continue;
      }
      const held = expandText(text);
      written(undefined, held === undefined ? tooLargeToHold : undefined);
      if (held !== undefined) this.#ears.hear(held);
    }
  }
}
