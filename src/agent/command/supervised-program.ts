import type { CommandTarget as Launchable } from '../../transport/json-rpc-client/options.ts';
import { Child, type ChildEnd, type ChildLimits } from '../../transport/program/child.ts';
import type { ProgramFacts } from '../agent.ts';
import type { Mask } from './mask.ts';
import type { ProgramLimits } from './settings.ts';
import { sizeInWords } from './size.ts';
import { StderrTail } from './stderr-tail.ts';

const childLimits: ChildLimits = { waitingBytes: 64 * 1024 ** 2, logBytes: 0, goodbyeMs: 500 };
/** Memory can grow by some hundred megabytes between two looks. */
const lookEveryMs = 250;
const keptOfFlood = 64 * 1024;

export interface Supervision {
  readonly limits: ProgramLimits;
  readonly mask: Mask;
  /** What is within the limits. */
  output(chunk: Buffer): void;
}

/** A program that is ended when it takes more than it may. */
export class SupervisedProgram {
  readonly #limits: ProgramLimits;
  readonly #mask: Mask;
  readonly #stderr: StderrTail;
  readonly #output: (chunk: Buffer) => void;
  #child: Child | undefined;
  #taken = 0;
  #cut: string | undefined;
  #end: ChildEnd | undefined;
  #settle: () => void = () => {};
  readonly #memoryWatch: NodeJS.Timeout;

  /** Resolves when the program has ended, by itself or because it had to. */
  readonly over: Promise<void>;

  private constructor({ limits, mask, output }: Supervision) {
    this.#limits = limits;
    this.#mask = mask;
    this.#stderr = new StderrTail(mask);
    this.#output = output;
    this.over = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#memoryWatch = setInterval(() => this.#lookAtMemory(), lookEveryMs);
  }

  /** Rejects with `CannotLaunch` when the program cannot be run. */
  static async launch(target: Launchable, supervision: Supervision): Promise<SupervisedProgram> {
    const program = new SupervisedProgram(supervision);
    try {
      program.#child = await Child.launch(target, childLimits, {
        output: (chunk) => program.#take(chunk),
        errors: (chunk) => program.#stderr.push(chunk),
        ended: (_, end) => {
          program.#end = end;
          program.#settle();
        },
      });
    } catch (thrown) {
      clearInterval(program.#memoryWatch);
      throw thrown;
    }
    return program;
  }

  /** Why it has not ended as it should, once it has ended. */
  get failure(): string | undefined {
    if (this.#cut !== undefined) return `${this.#cut}, and was ended`;
    if (this.#end === undefined || this.#end.exitCode === 0) return undefined;
    const { exitCode, signal } = this.#end;
    const how = signal === undefined ? `with exit code ${exitCode}` : `by ${signal}`;
    const { lastLine } = this.#stderr;
    return `the program ended ${how}${lastLine === '' ? '' : `: ${lastLine}`}`;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined || this.#cut !== undefined;
  }

  /** What it has said, as it may be kept. Where we have ended it, that may break off anywhere. */
  fit(text: string): string {
    if (this.#cut === undefined) return this.#mask.text(text);
    const whole = this.#mask.cutText(text);
    // Of a flood the beginning is enough: nobody means all of it as an answer.
    return this.#taken > this.#limits.outputBytes ? whole.slice(0, keptOfFlood) : whole;
  }

  get facts(): ProgramFacts {
    return { ...this.#end, stderr: this.#stderr.text };
  }

  write(text: string): void {
    this.#child?.write(text);
  }

  endInput(): void {
    this.#child?.endInput();
  }

  /** Bounds what follows: the time and the output of a turn. The returned function ends the turn. */
  beginTurn(signal: AbortSignal): () => void {
    this.#taken = 0;
    const { timeoutMs } = this.#limits;
    const abort = (): void => this.cutShort('it was no longer waited for');
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => this.cutShort(`it took longer than the ${timeoutMs / 1_000} s of a turn`),
            timeoutMs,
          );
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  }

  /** Ends it, for a reason. */
  cutShort(reason: string): void {
    if (this.hasEnded) return;
    this.#cut = reason;
    void this.stop('at once');
  }

  /** Resolves when nothing of it is left. */
  async stop(manner: 'polite' | 'at once'): Promise<void> {
    clearInterval(this.#memoryWatch);
    await this.#child?.stop(manner);
    this.#settle();
  }

  #take(chunk: Buffer): void {
    if (this.#cut !== undefined) return;
    const { outputBytes } = this.#limits;
    const room = outputBytes - this.#taken;
    this.#taken += chunk.length;
    this.#output(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length > room) this.cutShort(`it wrote more than ${sizeInWords(outputBytes)} of output`);
  }

  #lookAtMemory(): void {
    const { memoryBytes } = this.#limits;
    const taken = this.#child?.memory() ?? 0;
    if (taken > memoryBytes) this.cutShort(`it took more than ${sizeInWords(memoryBytes)} of memory`);
  }
}
