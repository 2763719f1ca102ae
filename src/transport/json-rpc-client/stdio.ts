import type { Sent, Transport } from '../../engine/ports.ts';
import type { WireOrder } from '../../model/wire.ts';
import { longestTimeout } from '../clock.ts';
import type { Written } from '../expanded.ts';
import { frameAnswer, frameNotification, frameRequest } from '../json-rpc.ts';
import { Child } from '../program/child.ts';
import { type Line, LineReader } from '../stdio-server/line-reader.ts';
import { writeLine } from '../wire/write-line.ts';
import { Inbox } from './inbox.ts';
import type { ClientLimits, CommandPeer, Receive } from './options.ts';

const session = 'stdio';
/**
 * How long lines are handled in one turn. Without this limit a program that floods us would take all our time, and
 * timers would not fire.
 */
const turnMs = 50;
/** After the program has ended, its remaining output is read until nothing has come for this long. */
const lastWordsMs = 250;

/** Speaks to a program over its standard input and output: one message per line. */
export async function openStdio(
  target: CommandPeer,
  limits: ClientLimits,
  receive: Receive,
): Promise<Transport> {
  const inbox = new Inbox({ session, limits, receive });
  const lines = new LineReader({ lineBytes: limits.messageBytes, recordedBytes: limits.messageBytes });
  const take = ({ kind, bytes }: Line): void => {
    if (kind === 'whole') inbox.take(bytes);
    else
      inbox.malformed(bytes, `a line of more than ${limits.messageBytes} bytes`, undefined, {
        end: 'too large',
      });
  };
  let isClosed = false;
  /** Set when a document ordered us to end the program's input, to stop reading its output, or to read it slowly. */
  let isShut = false;
  let isDeaf = false;
  let pace: Exclude<WireOrder['read'], 'none'>;
  let nextRead: NodeJS.Timeout | undefined;
  let isWaiting = false;
  let wasHeld = false;
  let end: string | undefined;
  let lastWords: NodeJS.Timeout | undefined;
  const takeLines = (): void => {
    isWaiting = false;
    const until = performance.now() + turnMs;
    for (let line = lines.next(); line !== undefined && !isClosed; line = lines.next()) {
      take(line);
      if (performance.now() < until) continue;
      isWaiting = true;
      wasHeld = true;
      child.holdOutput();
      setImmediate(takeLines);
      return;
    }
    if (!isDeaf && nextRead === undefined) child.releaseOutput();
    if (end === undefined || isClosed) return;
    clearTimeout(lastWords);
    if (wasHeld) lastWords = setTimeout(finish, lastWordsMs);
    else finish();
  };
  const readLater = (milliseconds: number): void => {
    child.holdOutput();
    clearTimeout(nextRead);
    nextRead = setTimeout(
      () => {
        nextRead = undefined;
        if (!isDeaf && !isWaiting) child.releaseOutput();
      },
      Math.min(milliseconds, longestTimeout),
    );
  };
  const finish = (): void => {
    const how = end ?? '';
    end = undefined;
    const rest = lines.rest();
    if (rest !== undefined) take(rest);
    inbox.endAll(how);
    inbox.deliver({ kind: 'connection', session, event: 'closed' });
  };
  const child = await Child.launch(target, limits, {
    output(chunk) {
      if (isClosed) return;
      lines.push(chunk);
      if (pace !== undefined) readLater(Math.ceil(chunk.length / pace.bytes) * pace.everyMs);
      if (!isWaiting) takeLines();
    },
    log: (message) => inbox.deliver({ kind: 'log', session, level: 'info', message }),
    ended(how) {
      end = how;
      if (!isWaiting) takeLines();
    },
  });
  inbox.deliver({ kind: 'connection', session, event: 'opened' });

  /** Writes a message by its order, and tells whether it is written, as for any other message. */
  function writeOrdered(text: string, order: WireOrder, sent: Sent): boolean {
    const { read, batch } = order;
    const isWritten = child.writeBy((input, done) =>
      writeLine(input, batch ? `[${text}]` : text, order, (performed) => {
        sent(session, undefined, undefined, undefined, performed);
        isShut ||= input.writableEnded;
        done();
      }),
    );
    if (!isWritten || read === undefined) return isWritten;
    if (read === 'none') {
      isDeaf = true;
      child.holdOutput();
    } else pace = read;
    return true;
  }

  return {
    open: async () => ({ url: urlOf(target) }),
    answer(exchange, answer, sent) {
      const open = inbox.takeExchange(exchange);
      if (open !== undefined) child.write(`${frameAnswer(open.id, answer)}\n`, (cut) => sent(undefined, cut));
    },
    notify(_target, method, params, sent, how) {
      const text = frameNotification(method, params);
      if (how?.order !== undefined) writeOrdered(text, how.order, sent);
      else child.write(`${text}\n`, sentTo(sent));
    },
    ask(_target, ask, method, params, sent, how) {
      inbox.expect(ask);
      const text = frameRequest(ask, method, params);
      // The request is recorded before its answer, which can come only in a later turn of the event loop.
      const isWritten =
        how?.order === undefined
          ? child.write(`${text}\n`, sentTo(sent))
          : writeOrdered(text, how.order, sent);
      // The document's own changes to the pipes are not a failure of the program.
      if (!isWritten) inbox.end(ask, isShut ? undefined : child.end);
      else if (isDeaf) inbox.end(ask);
    },
    openSessions: () => (child.isRunning ? 1 : 0),
    isConnected: () => child.isRunning,
    async close() {
      isClosed = true;
      clearTimeout(lastWords);
      clearTimeout(nextRead);
      inbox.close();
      child.releaseOutput();
      await child.stop();
    },
  };
}

function sentTo(sent: Sent): Written {
  return (cut) => sent(session, undefined, undefined, cut);
}

/** Arguments may hold secrets, so only the program is named. */
function urlOf({ command }: CommandPeer): string {
  return `command:${command}`;
}
