import type { EventSink } from './read-events.ts';

// AG-UI's protobuf streams: the length of an event in four bytes, big-endian, then the event.

const headerLength = 4;

/** Reads frames from bytes as they come. `end` returns the rest of an incomplete frame. */
export function createFrameReader(
  sink: EventSink,
  longest: number,
): { push(chunk: Buffer): void; end(): Buffer | undefined } {
  let pending: Buffer[] = [];
  let held = 0;
  /** The bytes that the current frame needs, its header included; undefined until the header has come. */
  let wanted: number | undefined;
  let stopped = false;

  function take(length: number): Buffer {
    const all = pending.length === 1 && pending[0] !== undefined ? pending[0] : Buffer.concat(pending);
    pending = all.length > length ? [all.subarray(length)] : [];
    held -= length;
    return all.subarray(0, length);
  }

  return {
    push(chunk) {
      if (stopped || chunk.length === 0) return;
      pending.push(chunk);
      held += chunk.length;
      while (held >= (wanted ?? headerLength)) {
        if (wanted === undefined) {
          const header = take(headerLength);
          wanted = header.readUInt32BE(0);
          // A frame that announces too many bytes is refused at once: its bytes would not be accepted.
          if (wanted > longest) {
            stopped = true;
            sink.tooLong(Buffer.concat([header, ...pending]));
            pending = [];
            return;
          }
          continue;
        }
        const frame = take(wanted);
        wanted = undefined;
        sink.data(frame, undefined);
        if (stopped) return;
      }
    },
    end() {
      const isWhole = wanted === undefined && held === 0;
      stopped = true;
      const rest = Buffer.concat(pending);
      pending = [];
      return isWhole ? undefined : rest;
    },
  };
}
