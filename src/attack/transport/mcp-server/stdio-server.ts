import type { Readable, Writable } from 'node:stream';
import type { Incoming } from '../../engine/actor-messages.ts';
import type { Transport } from '../../engine/ports.ts';
import { errorCode, frameError } from '../json-rpc-frames.ts';
import { ChannelSession } from './sessions/channel-session.ts';
import { createUnsentWarner } from './sessions/client-session.ts';
import { McpPeers, sendThrough } from './sessions/peers.ts';
import { recordUnreadAnswer } from './sessions/record-malformed.ts';
import { recordRefused } from './sessions/record-refused.ts';
import { defaultSessionLimits, messageBytes, type SessionLimits } from './sessions/session-limits.ts';
import { takeMessage } from './sessions/take-frames.ts';
import { type InputLine, LineReader } from './stdio/line-reader.ts';
import { LineWriter } from './stdio/line-writer.ts';

export interface StdioServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly limits?: Partial<StdioServerLimits> | undefined;
  /** Called once, when the peer has closed its end. */
  hungUp?(): void;
}

export interface StdioServerLimits extends SessionLimits {
  readonly lineBytes: number;
}

/** The one session; its name need not be a secret. */
const sessionId = 'stdio';

// How long the last messages may take to leave at the end: we do not wait for a peer that does not read.
const flushMs = 100;
const lastLinesMs = 1_000;
const readAheadBytes = 1024 * 1024;

/**
 * The server side of MCP's stdio: one message per line, one peer. No message is read while the peer does not read its
 * answers.
 */
export function createStdioServer({ input, output, limits: given, hungUp }: StdioServerOptions): Transport {
  const limits = { ...defaultSessionLimits, lineBytes: messageBytes, ...given };
  let receive: (message: Incoming) => void = () => {};
  let isOpen = false;
  let hasEnded = false;
  let isOver = false;
  let patience: NodeJS.Timeout | undefined;
  const peers = new McpPeers(limits, (message) => receive(message));
  const reader = new LineReader({ lineBytes: limits.lineBytes, recordedBytes: limits.lineBytes });
  const writer = new LineWriter(output, limits.waitingPerSession, {
    drained: work,
    gone: lose,
    lost: tellLost,
  });
  const session = new ChannelSession(sessionId, writer, limits, createUnsentWarner(peers));

  const read = (chunk: Buffer): void => {
    reader.push(chunk);
    work();
  };
  const finishReading = (): void => {
    hasEnded = true;
    patience ??= setTimeout(giveUp, lastLinesMs);
    work();
  };

  function tellLost(): void {
    recordUnreadAnswer(peers, sessionId);
  }

  /** The peer no longer reads our answers. Its earlier messages may still be on their way. */
  function lose(): void {
    writer.finish();
    patience ??= setTimeout(giveUp, lastLinesMs);
    work();
  }

  /** Handles lines until there are no more, or the peer has to read first. */
  function work(): void {
    if (!isOpen || isOver) return;
    writer.batch(takeLines);
    if (!writer.isBlocked && hasEnded) finish();
    // A little is read ahead, so that we notice when a peer that does not read hangs up.
    else if (writer.isBlocked && reader.waitingBytes > readAheadBytes) input.pause();
    else input.resume();
  }

  function takeLines(): void {
    for (let line = nextLine(); line !== undefined; line = nextLine()) take(line);
  }

  function nextLine(): InputLine | undefined {
    if (isOver || writer.isBlocked) return undefined;
    return reader.next() ?? (hasEnded ? reader.rest() : undefined);
  }

  function take({ kind, bytes, isUnended }: InputLine): void {
    if (peers.sessionCount === 0) peers.beginSession(session);
    if (kind === 'too long') {
      const reason = `the line is longer than ${limits.lineBytes} bytes`;
      recordRefused(peers, { reason, bytes, session: sessionId, end: 'too large' });
      writer.send(createErrorLine(frameError(null, errorCode.refused, reason)));
      return;
    }
    const refused = takeMessage(bytes, session, peers);
    if (refused === undefined) return;
    const { id, code, reason } = refused;
    // Invalid JSON at the end of the input is the beginning of a message that broke off.
    const end = isUnended && code === errorCode.parseError ? ({ end: 'cut off' } as const) : {};
    recordRefused(peers, { reason, bytes, session: sessionId, ...end });
    writer.send(createErrorLine(frameError(id, code, reason)));
  }

  /** The peer sends no more. It may still read its last answer. */
  function finish(): void {
    if (writer.holdsAnswer) writer.whenTaken(end);
    else end();
  }

  /** The peer has left, and had time enough to read what we wrote. */
  function giveUp(): void {
    if (writer.holdsAnswer) tellLost();
    end();
  }

  /** Ends the session: the peer has left. */
  function end(): void {
    if (isOver) return;
    isOver = true;
    letGo();
    if (!isOpen) return;
    peers.endSession(session);
    hungUp?.();
  }

  function letGo(): void {
    clearTimeout(patience);
    input.off('data', read);
    input.off('end', finishReading);
    input.off('error', finishReading);
    input.off('close', finishReading);
    input.pause();
  }

  return {
    async open(toActor) {
      receive = toActor;
      isOpen = true;
      input.on('data', read);
      input.once('end', finishReading);
      input.once('error', finishReading);
      input.once('close', finishReading);
      return { url: 'stdio:' };
    },
    ...sendThrough(peers),
    isConnected: () => isOpen && !isOver,
    async close() {
      isOver = true;
      letGo();
      await waitUntilFlushed(writer);
      peers.close();
      writer.finish();
    },
  };
}

function createErrorLine(text: string): Parameters<LineWriter['send']>[0] {
  return { text, written: () => {}, isAnswer: true, isRefusal: true };
}

async function waitUntilFlushed(writer: LineWriter): Promise<void> {
  const until = performance.now() + flushMs;
  while (!writer.isFlushed && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
}
