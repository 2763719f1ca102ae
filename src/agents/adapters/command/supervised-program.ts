import type { CommandPeer as Launchable } from '../../../attack/transport/mcp-client/mcp-client-options.ts';
import { Child, type ChildEnd, type ChildLimits } from '../../../attack/transport/program/child.ts';
import { explainEmptyFolder, joinLastLines } from '../../../attack/transport/program/last-lines.ts';
import type { EchoCover } from '../../../secrets/echo-cover.ts';
import type { AgentHealth, ProgramFacts } from '../agent-under-test.ts';
import { formatSize } from './byte-size.ts';
import type { ProgramLimits } from './command-settings.ts';
import { initialLeftBehind, type LeftBehindLook, readLeftProcess, stepLeftBehind } from './left-behind.ts';
import { StderrTail } from './stderr-tail.ts';

const childLimits: ChildLimits = { waitingBytes: 64 * 1024 ** 2, logBytes: 0, goodbyeMs: 500 };
/** Short, because memory can grow by some hundred megabytes between two checks. */
const lookEveryMs = 250;
const keptOfFlood = 64 * 1024;
/** Processes that end together with the program write nothing more after this time. */
const lastWordsMs = 50;

export interface Supervision {
  readonly limits: ProgramLimits;
  readonly mask: EchoCover;
  /** The time at which the run is about to end, on the clock of `performance.now`. */
  readonly deadline: number;
  /** Receives the output that is within the limits. */
  output(chunk: Buffer): void;
}

/** A program that is ended when it exceeds a limit. */
export class SupervisedProgram {
  readonly #limits: ProgramLimits;
  readonly #deadline: number;
  readonly #stderr: StderrTail;
  readonly #output: (chunk: Buffer) => void;
  readonly #outputEnded = createSignal();
  readonly #over = createSignal();
  readonly #gone = createSignal();
  #child: Child | undefined;
  #taken = 0;
  #cut: string | undefined;
  #tookTooMuch: AgentHealth['cut'];
  #memory = 0;
  #isOutOfTime = false;
  #left: string | undefined;
  #lastSign = 0;
  #end: ChildEnd | undefined;
  readonly #memoryWatch: NodeJS.Timeout;

  private constructor({ limits, mask, deadline, output }: Supervision) {
    this.#limits = limits;
    this.#deadline = deadline;
    this.#stderr = new StderrTail(mask);
    this.#output = output;
    this.#memoryWatch = setInterval(() => this.#lookAtMemory(), lookEveryMs);
  }

  /** Rejects with `CannotLaunch` if the program cannot be run. */
  static async launch(target: Launchable, supervision: Supervision): Promise<SupervisedProgram> {
    const program = new SupervisedProgram(supervision);
    try {
      program.#child = await Child.launch(target, childLimits, {
        output: (chunk) => program.#take(chunk),
        outputEnded: () => program.#outputEnded.give(),
        errors: (chunk) => program.#stderr.push(chunk),
        ended: (_, end) => {
          program.#end = end;
          program.#over.give();
        },
      });
    } catch (thrown) {
      clearInterval(program.#memoryWatch);
      throw thrown;
    }
    return program;
  }

  /** Resolves when the program has ended, for any reason, or has run out of time. */
  get over(): Promise<void> {
    return this.#over.given;
  }

  /** Resolves when none of its processes is left. */
  get gone(): Promise<void> {
    return this.#gone.given;
  }

  /** Why it did not end properly; set after its end. */
  get failure(): string | undefined {
    if (this.#isOutOfTime) return this.#cut;
    if (this.#cut !== undefined) return `${this.#cut}, and was ended`;
    if (this.#end === undefined) return undefined;
    const { exitCode, signal } = this.#end;
    if (exitCode === 0)
      return this.#child?.hasTakenAll ? undefined : 'the program ended before it had read all of its input';
    const how = signal === undefined ? `with exit code ${exitCode}` : `by ${signal}`;
    const { text } = this.#stderr;
    const lines = joinLastLines(text);
    const advice = this.#limits.isInFreshFolder ? explainEmptyFolder(text) : '';
    return `the program ended ${how}${lines === '' ? '' : `: ${lines}`}${advice}`;
  }

  /** Whether it was ended because it exceeded a limit. */
  get isCut(): boolean {
    return this.#cut !== undefined;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined || this.#cut !== undefined;
  }

  /** What it left running when it had ended, which we then ended. */
  get left(): string | undefined {
    return this.#left;
  }

  /** Notes that the agent has done something, so that what it left behind is not quiet. */
  noteSign(): void {
    this.#lastSign = performance.now();
  }

  /** Keeps only the beginning of an answer that exceeded the output limit: all of it cannot be meant as an answer. */
  fit(text: string): string {
    const isFlood = this.#cut !== undefined && this.#taken > this.#limits.outputBytes;
    return isFlood ? text.slice(0, keptOfFlood) : text;
  }

  get facts(): ProgramFacts {
    return { ...this.#end, stderr: this.#stderr.text };
  }

  get health(): AgentHealth {
    const cut = this.#tookTooMuch;
    return {
      ...(this.#memory > 0 && { memoryBytes: this.#memory }),
      ...(cut !== undefined && { cut, why: this.#cut ?? '' }),
    };
  }

  write(text: string): void {
    this.#child?.write(text);
  }

  endInput(): void {
    this.#child?.endInput();
  }

  /** Begins a turn, with its limits of time and output. The returned function ends the turn. */
  beginTurn(signal: AbortSignal): () => void {
    this.#taken = 0;
    const { timeoutMs } = this.#limits;
    const abort = (): void => this.cutShort('the turn was cancelled');
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            if (!this.hasEnded) this.cutShort(`it took longer than the ${timeoutMs / 1_000} s of a turn`, 'time');
          }, timeoutMs);
    const last = setTimeout(() => this.#runOutOfTime(), this.#timeLeft());
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    return () => {
      clearTimeout(timer);
      clearTimeout(last);
      signal.removeEventListener('abort', abort);
    };
  }

  /** Ends the program for a reason; `tookTooMuch` names the limit that it exceeded, if any. */
  cutShort(reason: string, tookTooMuch?: AgentHealth['cut']): void {
    if (this.#cut !== undefined) return;
    this.#cut = reason;
    this.#tookTooMuch = tookTooMuch;
    void this.stop();
  }

  /** Waits until none of its processes can act any more, and ends those that are left, within the time that is left. */
  async leave(): Promise<void> {
    this.noteSign();
    await this.#outputEnded.within(Math.min(lastWordsMs, this.#timeLeft()));
    let state = initialLeftBehind;
    while (this.#cut === undefined) {
      const step = stepLeftBehind(state, this.#lookAtLeft(), performance.now(), this.#deadline);
      state = step.state;
      this.#left = step.left;
      if (step.isOver) break;
      await this.#gone.within(step.againInMs);
    }
    void this.stop();
    await this.#gone.within(this.#timeLeft());
  }

  /** Closes its input and waits for its end; resolves to whether it has ended in time. */
  async endsWithin(ms: number): Promise<boolean> {
    this.#child?.endInput();
    return this.#over.within(ms);
  }

  /** Resolves when none of its processes is left. */
  async stop(): Promise<void> {
    clearInterval(this.#memoryWatch);
    await this.#child?.stop('at once');
    this.#over.give();
    this.#gone.give();
  }

  #lookAtLeft(): LeftBehindLook {
    const running = this.#child?.running() ?? [];
    return {
      processes:
        running === 'unnamed' ? running : running.map(({ pid }) => readLeftProcess(pid, this.#limits.isHelper)),
      holdsOutput: !this.#outputEnded.isGiven(),
      lastSign: this.#lastSign,
    };
  }

  #timeLeft(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  #runOutOfTime(): void {
    if (this.hasEnded) return;
    this.#isOutOfTime = true;
    this.cutShort('it did not end in time', 'time');
    this.#over.give();
  }

  #take(chunk: Buffer): void {
    if (this.#cut !== undefined) return;
    this.noteSign();
    const { outputBytes } = this.#limits;
    const room = Math.max(0, outputBytes - this.#taken);
    this.#taken += chunk.length;
    this.#output(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length > room) this.cutShort(`it wrote more than ${formatSize(outputBytes)} of output`, 'output');
  }

  #lookAtMemory(): void {
    const { memoryBytes } = this.#limits;
    const taken = this.#child?.memory() ?? 0;
    this.#memory = Math.max(this.#memory, taken);
    if (taken > memoryBytes) this.cutShort(`it took more than ${formatSize(memoryBytes)} of memory`, 'memory');
  }
}

/** An event that happens once and can be awaited. */
interface Signal {
  readonly given: Promise<void>;
  give(): void;
  isGiven(): boolean;
  /** Whether it happens within that time. */
  within(ms: number): Promise<boolean>;
}

function createSignal(): Signal {
  let give = (): void => {};
  let isGiven = false;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return {
    given,
    give() {
      isGiven = true;
      give();
    },
    isGiven: () => isGiven,
    async within(ms) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), ms);
      });
      const isInTime = await Promise.race([given.then(() => true), late]);
      clearTimeout(timer);
      return isInTime;
    },
  };
}
