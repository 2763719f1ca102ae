import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import type { Sent, Transport } from '../../engine/ports.ts';
import { longestTimeout } from '../clock.ts';
import type { TextSentCallback } from '../expand-generated.ts';
import { frameAnswer, frameNotification, frameRequest } from '../json-rpc-frames.ts';
import { type InputLine, LineReader } from '../mcp-server/stdio/line-reader.ts';
import { Child } from '../program/child.ts';
import { writeLine } from '../wire/write-line.ts';
import { Inbox } from './inbox.ts';
import type { ClientLimits, CommandPeer, McpReceive } from './mcp-client-options.ts';

const session = 'stdio';
/**
 * How long lines are handled in one turn. Without this limit a program that floods us would take all our time, and
 * timers would not fire.
 */
const turnMs = 50;
/** After the program has ended, its remaining output is read until nothing has come for this long. */
const lastWordsMs = 250;

/** Speaks to a program over its standard input and output: one message per line. */
export async function openStdio(target: CommandPeer, limits: ClientLimits, receive: McpReceive): Promise<Transport> {
  const inbox = new Inbox({ session, limits, receive });
  const lines = new LineReader({ lineBytes: limits.messageBytes, recordedBytes: limits.messageBytes });
  const take = ({ kind, bytes }: InputLine): void => {
    if (kind === 'whole') inbox.take(bytes);
    else
      inbox.malformed(bytes, `a line of more than ${limits.messageBytes} bytes`, undefined, {
        end: 'too large',
      });
  };
  let isClosed = false;
  /** Set when a rule of the document made us end the program's input, stop reading its output, or read it slowly. */
  let isShut = false;
  let isDeaf = false;
  let pace: Exclude<AppliedWireRule['read'], 'none'>;
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

  /** Writes a message by its rule, and tells whether it is written, as for any other message. */
  function writeRuledText(text: string, rule: AppliedWireRule, sent: Sent): boolean {
    const { read, batch } = rule;
    const isWritten = child.writeBy((input, done) =>
      writeLine(input, batch ? `[${text}]` : text, rule, (performed) => {
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
    open: async () => ({ url: formatProgramUrl(target) }),
    answer(exchange, answer, sent) {
      const open = inbox.takeExchange(exchange);
      if (open !== undefined) child.write(`${frameAnswer(open.id, answer)}\n`, (cut) => sent(undefined, cut));
    },
    notify(_target, method, params, sent, how) {
      const text = frameNotification(method, params);
      if (how?.order !== undefined) writeRuledText(text, how.order, sent);
      else child.write(`${text}\n`, reportSent(sent));
    },
    ask(_target, ask, method, params, sent, how) {
      inbox.expect(ask);
      const text = frameRequest(ask, method, params);
      // The request is recorded before its answer, which can come only in a later turn of the event loop.
      const isWritten =
        how?.order === undefined ? child.write(`${text}\n`, reportSent(sent)) : writeRuledText(text, how.order, sent);
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

function reportSent(sent: Sent): TextSentCallback {
  return (cut) => sent(session, undefined, undefined, cut);
}

/** Arguments may hold secrets, so only the program is named. */
function formatProgramUrl({ command }: CommandPeer): string {
  return `command:${command}`;
}
