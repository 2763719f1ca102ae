// Server-sent events, read from bytes as they come. Whatever is no event is handed on as the bytes it is made of.

export interface EventSink {
  /** The data of one event. */
  data(bytes: Buffer): void;
  /** More than an event may hold; nothing is read from then on. */
  tooLong(bytes: Buffer): void;
}

export interface EventReader {
  push(chunk: Buffer): void;
  /** The end of the stream; gives the data of an event that was not ended by an empty line. */
  end(): Buffer | undefined;
}

const lineFeed = 10;
const carriageReturn = 13;
const colon = 58;
const space = 32;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export function createEventReader(sink: EventSink, longest: number): EventReader {
  let line: Buffer[] = [];
  let lineLength = 0;
  let data: Buffer[] = [];
  let dataLength = 0;
  let isFirstLine = true;
  let skipLineFeed = false;
  let stopped = false;

  function keep(part: Buffer): void {
    if (part.length === 0) return;
    line.push(part);
    lineLength += part.length;
    if (lineLength + dataLength <= longest) return;
    stopped = true;
    sink.tooLong(Buffer.concat([...data, ...line]));
  }

  function takeLine(): void {
    const whole = line.length === 1 ? (line[0] as Buffer) : Buffer.concat(line);
    line = [];
    lineLength = 0;
    const text = isFirstLine && whole.subarray(0, 3).equals(byteOrderMark) ? whole.subarray(3) : whole;
    isFirstLine = false;
    if (text.length === 0) dispatch();
    else field(text);
  }

  function field(text: Buffer): void {
    const end = text.indexOf(colon);
    const name = text.subarray(0, end === -1 ? text.length : end).toString('latin1');
    if (name !== 'data') return;
    const from = end === -1 ? text.length : text[end + 1] === space ? end + 2 : end + 1;
    const value = text.subarray(from);
    if (data.length > 0) data.push(Buffer.from('\n'));
    data.push(value);
    dataLength += value.length + 1;
  }

  function dispatch(): void {
    const whole = takeData();
    if (whole !== undefined) sink.data(whole);
  }

  function takeData(): Buffer | undefined {
    const whole = data.length === 1 ? (data[0] as Buffer) : Buffer.concat(data);
    data = [];
    dataLength = 0;
    // Some servers keep a connection alive with events that say nothing.
    return whole.length === 0 ? undefined : whole;
  }

  return {
    push(chunk) {
      let from = 0;
      for (let at = 0; at < chunk.length && !stopped; at++) {
        const byte = chunk[at];
        if (byte === lineFeed && skipLineFeed) {
          skipLineFeed = false;
          from = at + 1;
          continue;
        }
        skipLineFeed = false;
        if (byte !== lineFeed && byte !== carriageReturn) continue;
        keep(chunk.subarray(from, at));
        if (stopped) return;
        takeLine();
        skipLineFeed = byte === carriageReturn;
        from = at + 1;
      }
      if (!stopped) keep(chunk.subarray(from));
    },
    end() {
      if (stopped) return undefined;
      if (lineLength > 0) takeLine();
      return takeData();
    },
  };
}
