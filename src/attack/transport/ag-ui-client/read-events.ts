// Reads server-sent events from bytes as they come. Anything that is not an event is passed on as its bytes.

export interface EventSink {
  /** The data of one event, and the event's name, if it has one. */
  data(bytes: Buffer, name: string | undefined): void;
  /** Called when an event is too long; nothing is read after that. */
  tooLong(bytes: Buffer): void;
}

export interface EventReader {
  push(chunk: Buffer): void;
  /** Ends the stream, and returns the data of an event without its final empty line. */
  end(): Buffer | undefined;
  /** The id of the event after which a broken stream can be resumed. */
  readonly lastId: string | undefined;
  /** How long the server asks clients to wait before they come back. */
  readonly retryMs: number | undefined;
}

const lineFeed = 10;
const carriageReturn = 13;
const colon = 58;
const space = 32;
/** The cost of a line in addition to its text: a stream of empty lines must not fill the memory. */
const costOfLine = 256;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export function createEventReader(sink: EventSink, longest: number): EventReader {
  let line: Buffer[] = [];
  let lineLength = 0;
  let data: Buffer[] = [];
  let dataLength = 0;
  let eventName: string | undefined;
  let eventId: string | undefined;
  let lastId: string | undefined;
  let retryMs: number | undefined;
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
    const from = end === -1 ? text.length : text[end + 1] === space ? end + 2 : end + 1;
    const value = text.subarray(from);
    if (name === 'data') keepData(value);
    else if (name === 'event') eventName = value.toString();
    else if (name === 'id' && !value.includes(0)) eventId = value.toString();
    else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('latin1'))) retryMs = Number(value.toString());
  }

  function keepData(value: Buffer): void {
    if (data.length > 0) data.push(Buffer.from('\n'));
    data.push(value);
    dataLength += value.length + costOfLine;
  }

  function dispatch(): void {
    const whole = takeData();
    const name = eventName;
    eventName = undefined;
    // An event counts as seen once it is complete, even without data.
    lastId = eventId ?? lastId;
    if (whole !== undefined) sink.data(whole, name);
  }

  function takeData(): Buffer | undefined {
    const whole = data.length === 1 ? (data[0] as Buffer) : Buffer.concat(data);
    data = [];
    dataLength = 0;
    // Some servers keep a connection alive with empty events.
    return whole.length === 0 ? undefined : whole;
  }

  return {
    get lastId() {
      return lastId;
    },
    get retryMs() {
      return retryMs;
    },
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
