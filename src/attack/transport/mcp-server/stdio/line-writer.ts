import type { Writable } from 'node:stream';
import { holdsGenerated, writeExpanded } from '../../expand-generated.ts';
import { writeLine } from '../../wire/write-line.ts';
import type { Channel } from '../sessions/channel-session.ts';
import type { OutgoingText } from '../sessions/peer-session.ts';

export interface LineWriterEvents {
  /** Called when the peer has read everything. */
  drained(): void;
  /** Called when the peer no longer reads. */
  gone(): void;
  /** Called once, when the peer stopped reading before it had an answer of ours. */
  lost(): void;
}

/** A batch is written when it reaches the size of the output's buffer. */
const batchLength = 16 * 1024;

/** Writes one message per line, as fast as the peer reads them. */
export class LineWriter implements Channel {
  readonly #output: Writable;
  readonly #most: number;
  readonly #queue: OutgoingText[] = [];
  readonly #drain = (): void => this.#flush();
  /** An answer has left this process, or the peer closed its end while it did. */
  readonly #left = (error?: Error | null): void => {
    if (error && this.#isOpen) this.#lose();
  };
  readonly #gone: () => void;
  readonly #drained: () => void;
  readonly #lost: () => void;
  #isOpen = true;
  #isBatching = false;
  #batch = '';
  #hasAnswer = false;
  #isLost = false;
  /** Whether an answer was in the last batch, or in one that the output held when that was written. */
  #mayHoldAnswer = false;
  /** True while a line is written slowly, or with generated values. */
  #isPouring = false;

  /** When `most` messages wait, only answers are accepted. */
  constructor(output: Writable, most: number, { drained, gone, lost }: LineWriterEvents) {
    this.#output = output;
    this.#most = most;
    this.#drained = drained;
    this.#gone = gone;
    this.#lost = lost;
    output.on('drain', this.#drain);
    output.on('close', gone);
    output.on('error', gone);
  }

  /** Whether the peer has to read first. */
  get isBlocked(): boolean {
    return this.#isPouring || this.#queue.length > 0 || this.#output.writableNeedDrain;
  }

  /** Whether every message has left this process. */
  get isFlushed(): boolean {
    return this.#queue.length === 0 && !this.#isPouring && this.#output.writableLength === 0;
  }

  /** Whether an answer that counts as written is still in this process, at least in part. */
  get holdsAnswer(): boolean {
    return this.#mayHoldAnswer && this.#output.writableLength > 0;
  }

  /** Calls `taken` once everything written so far has left this process, or cannot leave it any more. */
  whenTaken(taken: () => void): void {
    this.#output.write('', () => taken());
  }

  /** Writes the messages that `send` produces together. */
  batch(send: () => void): void {
    this.#isBatching = true;
    send();
    this.#isBatching = false;
    this.#writeBatch();
  }

  send(message: OutgoingText): void {
    if (!this.#isOpen) return;
    if (!this.isBlocked) this.#write(message);
    else if (message.isAnswer === true || this.#queue.length < this.#most) this.#queue.push(message);
  }

  beat(): void {}

  finish(): void {
    this.#isOpen = false;
    this.#queue.length = 0;
    this.#output.off('drain', this.#drain);
    this.#output.off('close', this.#gone);
  }

  #flush(): void {
    while (this.#queue.length > 0 && !this.#isPouring && !this.#output.writableNeedDrain)
      this.#write(this.#queue.shift() as OutgoingText);
    if (!this.isBlocked) this.#drained();
  }

  #write(message: OutgoingText): void {
    const { text, written, isAnswer, isRefusal, rule } = message;
    if (this.#output.destroyed || this.#output.writableEnded) return;
    if (rule !== undefined) {
      this.#writeBatch();
      this.#isPouring = true;
      writeLine(this.#output, text, rule, (performed) => {
        this.#isPouring = false;
        written(undefined, undefined, performed);
        // Messages that waited behind a slow line can go out.
        if (rule.pace !== undefined) this.#flush();
      });
      return;
    }
    if (holdsGenerated(text)) {
      this.#writeLarge(message);
      return;
    }
    this.#batch += `${text}\n`;
    this.#hasAnswer ||= isAnswer === true && isRefusal !== true;
    if (!this.#isBatching || this.#batch.length >= batchLength) this.#writeBatch();
    written();
  }

  #writeLarge({ text, written, isAnswer }: OutgoingText): void {
    this.#writeBatch();
    this.#isPouring = true;
    writeExpanded(this.#output, `${text}\n`, (cut) => {
      this.#isPouring = false;
      written(undefined, cut);
      if (cut !== undefined && isAnswer === true) this.#lose();
      if (this.#isOpen) this.#flush();
    });
  }

  #writeBatch(): void {
    const [batch, hasAnswer] = [this.#batch, this.#hasAnswer];
    this.#batch = '';
    this.#hasAnswer = false;
    if (batch === '' || this.#output.destroyed) return;
    this.#mayHoldAnswer = hasAnswer || this.holdsAnswer;
    this.#output.write(batch, hasAnswer ? this.#left : undefined);
    // A pipe without a reader reports that at once.
    if (hasAnswer && this.#output.errored !== null) this.#lose();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#lost();
  }
}
