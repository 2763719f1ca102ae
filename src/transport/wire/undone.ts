import type { Answered } from '../../engine/ports.ts';
import type { WireOrder, WirePerformed } from '../../model/wire.ts';

type Undone = Pick<WirePerformed, 'undone'>;

/** Those of an order that are among what cannot be done here, or would change nothing. */
export function undoneOf(order: WireOrder, impossible: readonly string[]): Undone {
  const undone = order.deeds.filter((deed) => impossible.includes(deed));
  return undone.length === 0 ? {} : { undone };
}

/** What is done to a message while it is written. */
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

/** Of what is written in no way, or as if nothing was ordered, all but this is undone. */
export function allBut(order: WireOrder, ...done: readonly string[]): Undone {
  return undoneOf(
    order,
    whileWritten.filter((deed) => !done.includes(deed)),
  );
}

/** Tells of a message that went out as any other, though there was an order; its id and batch are in its text. */
export function unordered(written: Answered, order: WireOrder): Answered {
  return (wire, cut) => written(wire, cut, allBut(order, 'id', 'batch'));
}
