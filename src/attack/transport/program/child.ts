import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { holdsGenerated, type TextSentCallback, writeExpanded } from '../expand-generated.ts';
import type { ClientLimits, CommandPeer } from '../mcp-client/mcp-client-options.ts';
import { LineReader } from '../mcp-server/stdio/line-reader.ts';
import { createEnvironment } from './environment.ts';
import { joinLastLines } from './last-lines.ts';
import { CannotLaunch } from './launch-error.ts';
import { createLaunchMark, ProcessTree } from './process-tree.ts';
import type { KnownProcess } from './processes.ts';

export type ChildLimits = Pick<ClientLimits, 'waitingBytes' | 'logBytes' | 'goodbyeMs'>;

export interface ChildEvents {
  output(chunk: Buffer): void;
  /** Called when no process can write to its output any more: neither the program nor one that inherited it. */
  outputEnded?(): void;
  /** Called with each line of its standard error, up to a limit. */
  log?(line: string): void;
  /** Called with its standard error, as it comes. */
  errors?(chunk: Buffer): void;
  /** Called when the program has ended of its own accord and all its output was read. */
  ended(how: string, end: ChildEnd): void;
}

/** How a program ended: one of the two is set. */
export interface ChildEnd {
  readonly exitCode?: number;
  readonly signal?: NodeJS.Signals;
}

/** Writes to the input, and calls `done` when finished. */
type Writing = (input: Writable, done: () => void) => void;

/** The most messages that wait behind a generated one. */
const mostWaiting = 1_000;
const longestLogLine = 4096;
/** The system buffers this many bytes even if the program does not read them. */
const bufferedBytes = 64 * 1024;
/** The program may leave other processes behind that keep its output open. */
const lastWordsMs = 250;
/** Enough for a stack trace, of which only the beginning is shown. */
const mostLastLines = 40;
const longestLastLine = 1_000;
/** The pauses between checks; each is longer than the one before. */
const looksMs = [5, 10, 20, 40];

/** A launched program, and every process that it launches in turn. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #pid: number;
  readonly #tree: ProcessTree;
  readonly #limits: ChildLimits;
  readonly #endAtOnce = (): void => this.#signal('SIGKILL', new Set());
  /** The number of large texts that the program has not read yet. */
  #unread = 0;
  #logged = 0;
  #isBusy = false;
  readonly #waiting: Writing[] = [];
  readonly #lastLines: string[] = [];
  #how: string | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(process: ChildProcessWithoutNullStreams, tree: ProcessTree, limits: ChildLimits) {
    this.#process = process;
    this.#pid = process.pid ?? 0;
    this.#tree = tree;
    this.#limits = limits;
  }

  /** Rejects with `CannotLaunch` when the program cannot be run. */
  static async launch(target: CommandPeer, limits: ChildLimits, events: ChildEvents): Promise<Child> {
    const mark = createLaunchMark();
    const started = await spawnProgram(target, { ...createEnvironment(target), [mark.name]: mark.value });
    const child = new Child(started, new ProcessTree(started.pid ?? 0, mark), limits);
    child.#watch(events);
    return child;
  }

  get isRunning(): boolean {
    return this.#how === undefined;
  }

  /** How the program ended, once it has. */
  get end(): string {
    return this.#how ?? 'it does not read what it is sent';
  }

  /** The memory of the program and all its processes, in bytes; 0 when it is unknown. */
  memory(): number {
    return this.#tree.memory();
  }

  /** The program's processes that run now; `unnamed` if there are some, and this system does not say which. */
  running(): readonly KnownProcess[] | 'unnamed' {
    if (hasProcessFiles) return this.#tree.look();
    return hasGroups && send(-this.#pid, 0) ? 'unnamed' : [];
  }

  /** Whether the program has read everything that was written to it, as far as known. */
  get hasTakenAll(): boolean {
    return this.#unread === 0;
  }

  /**
   * Writes a text, now or in its turn, and tells whether it will be written; a program that stops reading is not
   * written to without end.
   */
  write(text: string, written: TextSentCallback = () => {}): boolean {
    if (this.#isBusy || holdsGenerated(text)) return this.#writeLater(text, written);
    const { stdin } = this.#process;
    const counted = Buffer.byteLength(text) > bufferedBytes ? 1 : 0;
    this.#unread += counted;
    if (!this.isRunning || !stdin.writable || stdin.writableLength > this.#limits.waitingBytes) return false;
    stdin.write(text, (error) => {
      if (!error) this.#unread -= counted;
    });
    written();
    return true;
  }

  /** Writes a text with generated values, which takes time; later texts wait. */
  #writeLater(text: string, written: TextSentCallback): boolean {
    const { stdin } = this.#process;
    return this.writeBy((_, done) => {
      this.#unread += 1;
      writeExpanded(stdin, text, (cut) => {
        if (cut === undefined) this.#unread -= 1;
        written(cut);
        done();
      });
    });
  }

  /** Lets another writer use the input in its turn; later texts wait until it is done. */
  writeBy(writing: Writing): boolean {
    const { stdin } = this.#process;
    if (!this.isRunning || !stdin.writable || this.#waiting.length >= mostWaiting) return false;
    this.#waiting.push(writing);
    if (!this.#isBusy) this.#writeNext();
    return true;
  }

  #writeNext(): void {
    const next = this.#waiting.shift();
    this.#isBusy = next !== undefined;
    next?.(this.#process.stdin, () => this.#writeNext());
  }

  /** Stops reading its output until it is released: the program waits. */
  holdOutput(): void {
    this.#process.stdout.pause();
  }

  releaseOutput(): void {
    if (this.#process.stdout.isPaused()) this.#process.stdout.resume();
  }

  /** Ends the input: nothing more will be written. */
  endInput(): void {
    this.#process.stdin.end();
  }

  /**
   * Asks the program to leave, unless there is no time for that, then kills it; resolves when none of its processes is
   * left.
   */
  stop(manner: 'polite' | 'at once' = 'polite'): Promise<void> {
    this.#stopped ??= this.#stop(manner);
    return this.#stopped;
  }

  async #stop(manner: 'polite' | 'at once'): Promise<void> {
    this.endInput();
    const steps = manner === 'polite' ? [undefined, 'SIGTERM', 'SIGKILL'] : ['SIGTERM', 'SIGKILL'];
    for (const signal of steps as readonly (Ending | undefined)[]) if (await this.#isGoneAfter(signal)) break;
    this.#process.stdout.destroy();
    this.#process.stderr.destroy();
    process.off('exit', this.#endAtOnce);
    process.setMaxListeners(process.getMaxListeners() - 1);
  }

  #watch(events: ChildEvents): void {
    const { stdin, stdout, stderr } = this.#process;
    // The last resort: however our process ends, no process is left behind.
    process.setMaxListeners(process.getMaxListeners() + 1);
    // This runs before the program's folders are removed, because a program could fill them again.
    process.prependListener('exit', this.#endAtOnce);
    // A program that closes its input is judged by how it ends, so pipe errors are ignored.
    stdin.on('error', ignoreStreamError);
    stdout.on('error', ignoreStreamError);
    stderr.on('error', ignoreStreamError);
    stdout.on('data', (chunk: Buffer) => events.output(chunk));
    stdout.once('close', () => events.outputEnded?.());
    const lines = new LineReader({ lineBytes: longestLogLine, recordedBytes: longestLogLine });
    stderr.on('data', (chunk: Buffer) => {
      events.errors?.(chunk);
      lines.push(chunk);
      for (let line = lines.next(); line !== undefined; line = lines.next()) this.#log(line.bytes, events);
    });
    stderr.on('end', () => {
      const rest = lines.rest();
      if (rest !== undefined) this.#log(rest.bytes, events);
    });
    this.#process.once('exit', (code, signal) => {
      // From here on the system may reuse its process id, unless a process of its session is left.
      this.#tree.look();
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      let isTold = false;
      const tell = (): void => {
        if (isTold) return;
        isTold = true;
        clearTimeout(patience);
        const lines = joinLastLines(this.#lastLines.join('\n'));
        this.#how = `the program ended ${how}${lines === '' ? '' : `: ${lines}`}`;
        events.ended(this.#how, signal === null ? { exitCode: code ?? 0 } : { signal });
      };
      const patience = setTimeout(tell, lastWordsMs);
      this.#process.once('close', tell);
    });
  }

  #log(bytes: Buffer, { log }: ChildEvents): void {
    const { logBytes } = this.#limits;
    const line = bytes.toString('utf8').trimEnd();
    this.#lastLines.push(line.slice(0, longestLastLine));
    if (this.#lastLines.length > mostLastLines) this.#lastLines.shift();
    if (this.#logged > logBytes) return;
    // A flood of short lines is limited as well.
    this.#logged += Math.max(bytes.length, 64);
    log?.(this.#logged > logBytes ? `${line} … (what follows is not kept)` : line);
  }

  /** Tells whether all processes have ended in time. Processes that appear meanwhile get the signal, too. */
  async #isGoneAfter(signal: Ending | undefined): Promise<boolean> {
    const until = performance.now() + this.#limits.goodbyeMs;
    const told = new Set<number>();
    for (let looks = 0; !this.#isGone(); looks++) {
      if (performance.now() >= until) return false;
      if (signal !== undefined) this.#signal(signal, told);
      await new Promise((resolve) => setTimeout(resolve, looksMs[looks] ?? looksMs.at(-1)));
    }
    return true;
  }

  #isGone(): boolean {
    if (this.isRunning) return false;
    return hasProcessFiles ? this.#tree.look().length === 0 : !(hasGroups && send(-this.#pid, 0));
  }

  #signal(signal: Ending, told: Set<number>): void {
    if (hasProcessFiles) {
      for (const { pid } of this.#tree.look()) {
        // A second signal to leave means "at once" to many programs, so each gets one.
        if (signal === 'SIGKILL' || !told.has(pid)) send(pid, signal);
        told.add(pid);
      }
    } else if (!told.has(this.#pid)) {
      told.add(this.#pid);
      if (hasGroups) send(-this.#pid, signal);
      else this.#process.kill(signal);
    }
  }
}

type Ending = 'SIGTERM' | 'SIGKILL';

const hasGroups = process.platform !== 'win32';
const hasProcessFiles = process.platform === 'linux';

async function spawnProgram(target: CommandPeer, env: NodeJS.ProcessEnv): Promise<ChildProcessWithoutNullStreams> {
  const { command, args = [], cwd } = target;
  try {
    const started = spawn(command, [...args], {
      cwd,
      env,
      stdio: 'pipe',
      // Makes the program the leader of its own session and group, so that all its processes can be ended.
      detached: hasGroups,
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      started.once('spawn', resolve);
      started.once('error', reject);
    });
    return started;
  } catch (thrown) {
    throw new CannotLaunch(thrown as NodeJS.ErrnoException, target);
  }
}

/** Sends a signal, and tells whether the process exists. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ignoreStreamError(): void {}
