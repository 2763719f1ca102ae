import type { Sent, Transport } from '../../engine/ports.ts';
import type { Written } from '../expanded.ts';
import { frameAnswer, frameNotification, frameRequest } from '../json-rpc.ts';
import { Child } from '../program/child.ts';
import { type Line, LineReader } from '../stdio-server/line-reader.ts';
import { Inbox } from './inbox.ts';
import type { ClientLimits, CommandPeer, Receive } from './options.ts';

const session = 'stdio';
/** How long lines are taken in one go. A program that floods us would else have all of our time, and no clock would go. */
const turnMs = 50;
/** What was held back is still read once the program has ended, until nothing came for so long. */
const lastWordsMs = 250;

/** A program that is spoken to over its standard input and output: one message a line. */
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
    child.releaseOutput();
    if (end === undefined || isClosed) return;
    clearTimeout(lastWords);
    if (wasHeld) lastWords = setTimeout(finish, lastWordsMs);
    else finish();
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
      if (!isWaiting) takeLines();
    },
    log: (message) => inbox.deliver({ kind: 'log', session, level: 'info', message }),
    ended(how) {
      end = how;
      if (!isWaiting) takeLines();
    },
  });
  inbox.deliver({ kind: 'connection', session, event: 'opened' });

  return {
    open: async () => ({ url: urlOf(target) }),
    answer(exchange, answer, sent) {
      const open = inbox.takeExchange(exchange);
      if (open !== undefined) child.write(`${frameAnswer(open.id, answer)}\n`, (cut) => sent(undefined, cut));
    },
    notify(_target, method, params, sent) {
      child.write(`${frameNotification(method, params)}\n`, sentTo(sent));
    },
    ask(_target, ask, method, params, sent) {
      inbox.expect(ask);
      // It is recorded before its answer can come, which is in a later turn of the event loop.
      if (!child.write(`${frameRequest(ask, method, params)}\n`, sentTo(sent))) inbox.end(ask, child.end);
    },
    openSessions: () => (child.isRunning ? 1 : 0),
    isConnected: () => child.isRunning,
    async close() {
      isClosed = true;
      clearTimeout(lastWords);
      inbox.close();
      child.releaseOutput();
      await child.stop();
    },
  };
}

function sentTo(sent: Sent): Written {
  return (cut) => sent(session, undefined, undefined, cut);
}

/** Arguments may hold what is nobody's concern, so only the program is named. */
function urlOf({ command }: CommandPeer): string {
  return `command:${command}`;
}
