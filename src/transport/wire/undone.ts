import type { Answered } from '../../engine/ports.ts';
import type { WireOrder, WirePerformed } from '../../model/wire.ts';

type Undone = Pick<WirePerformed, 'undone'>;

/** Finds the deeds of an order that cannot be done here, or would change nothing. */
export function undoneOf(order: WireOrder, impossible: readonly string[]): Undone {
  const undone = order.deeds.filter((deed) => impossible.includes(deed));
  return undone.length === 0 ? {} : { undone };
}

/** Deeds that are done to a message while it is written. */
const whileWritten = [
  'repeat',
  'http',
  'bytes',
  'frame',
  'pace',
  'end',
  'read',
  'stream',
  'sse',
  'grpc',
  'id',
  'batch',
];

/** For a message that is not written, or written without its order, every deed except `done` is undone. */
export function allBut(order: WireOrder, ...done: readonly string[]): Undone {
  return undoneOf(
    order,
    whileWritten.filter((deed) => !done.includes(deed)),
  );
}

/** Reports a message that went out unchanged despite its order; its id and batch are already in its text. */
export function unordered(written: Answered, order: WireOrder): Answered {
  return (wire, cut) => written(wire, cut, allBut(order, 'id', 'batch'));
}
