import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { ClientLimits, CommandTarget } from '../json-rpc-client/options.ts';
import { LineReader } from '../stdio-server/line-reader.ts';
import { descendantsOf, isAlive, type KnownProcess } from './descendants.ts';

export type ChildLimits = Pick<ClientLimits, 'waitingBytes' | 'logBytes' | 'goodbyeMs'>;

export interface ChildEvents {
  output(chunk: Buffer): void;
  /** A line of its standard error. */
  log(line: string): void;
  /** It has ended by itself, and all that it has written was read. */
  ended(how: string): void;
}

/** What a program needs to run at all: the names that the official clients pass on. */
const passedOn = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR'],
  ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
  ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
];

const longestLogLine = 4096;
/** A program may leave others behind that hold its output open. */
const lastWordsMs = 250;
const lookEveryMs = 10;

/** A program that was launched, and everything that it launches in turn. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #pid: number;
  readonly #limits: ChildLimits;
  readonly #endAtOnce = (): void => this.#signal('SIGKILL');
  #logged = 0;
  #lastLine = '';
  #how: string | undefined;

  private constructor(process: ChildProcessWithoutNullStreams, pid: number, limits: ChildLimits) {
    this.#process = process;
    this.#pid = pid;
    this.#limits = limits;
  }

  /** Rejects when the program cannot be run. */
  static async launch(target: CommandTarget, limits: ChildLimits, events: ChildEvents): Promise<Child> {
    const { command, args = [], cwd } = target;
    const started = spawn(command, [...args], {
      cwd,
      env: environmentOf(target),
      stdio: 'pipe',
      // Makes it the leader of a group of its own, so that all of the group can be ended.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      started.once('spawn', resolve);
      started.once('error', (error: NodeJS.ErrnoException) => reject(new Error(reasonOf(error, target))));
    });
    const child = new Child(started, started.pid ?? 0, limits);
    child.#watch(events);
    return child;
  }

  get isRunning(): boolean {
    return this.#how === undefined;
  }

  /** How it ended, once it has. */
  get end(): string {
    return this.#how ?? 'it does not read what it is sent';
  }

  /** Whether it was written; a program that does not read is not written to for ever. */
  write(text: string): boolean {
    const { stdin } = this.#process;
    if (!this.isRunning || !stdin.writable || stdin.writableLength > this.#limits.waitingBytes) return false;
    stdin.write(text);
    return true;
  }

  /** Lets it leave, then makes it; resolves when nothing of it is left. */
  async stop(): Promise<void> {
    const { goodbyeMs } = this.#limits;
    const known = this.isRunning ? descendantsOf(this.#pid) : [];
    this.#process.stdin.end();
    if (!(await this.#isGoneWithin(goodbyeMs, known))) {
      this.#signal('SIGTERM', known);
      if (!(await this.#isGoneWithin(goodbyeMs, known))) this.#signal('SIGKILL', known);
      await this.#isGoneWithin(goodbyeMs, known);
    }
    this.#process.stdout.destroy();
    this.#process.stderr.destroy();
    process.off('exit', this.#endAtOnce);
    process.setMaxListeners(process.getMaxListeners() - 1);
  }

  #watch(events: ChildEvents): void {
    const { stdin, stdout, stderr } = this.#process;
    // The last resort: whatever becomes of us, nothing is left behind.
    process.setMaxListeners(process.getMaxListeners() + 1);
    process.on('exit', this.#endAtOnce);
    // A program that closes its input shows by its end what is to be known of it.
    stdin.on('error', ignore);
    stdout.on('error', ignore);
    stderr.on('error', ignore);
    stdout.on('data', (chunk: Buffer) => events.output(chunk));
    const lines = new LineReader({ lineBytes: longestLogLine, recordedBytes: longestLogLine });
    stderr.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      for (let line = lines.next(); line !== undefined; line = lines.next()) this.#log(line.bytes, events);
    });
    stderr.on('end', () => {
      const rest = lines.rest();
      if (rest !== undefined) this.#log(rest.bytes, events);
    });
    this.#process.once('exit', (code, signal) => {
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      let isTold = false;
      const tell = (): void => {
        if (isTold) return;
        isTold = true;
        clearTimeout(patience);
        this.#how = `the program ended ${how}${this.#lastLine === '' ? '' : `: ${this.#lastLine}`}`;
        events.ended(this.#how);
      };
      const patience = setTimeout(tell, lastWordsMs);
      this.#process.once('close', tell);
    });
  }

  #log(bytes: Buffer, { log }: ChildEvents): void {
    const { logBytes } = this.#limits;
    const line = bytes.toString('utf8').trimEnd();
    if (line.trim() !== '') this.#lastLine = line.trim().slice(0, 200);
    if (this.#logged > logBytes) return;
    // A flood of short lines is a flood as well.
    this.#logged += Math.max(bytes.length, 64);
    log(this.#logged > logBytes ? `${line} … (what follows is not kept)` : line);
  }

  /** Whether the program, its group and what has left the group are gone in time. */
  async #isGoneWithin(ms: number, known: readonly KnownProcess[]): Promise<boolean> {
    const until = Date.now() + ms;
    const isGone = (): boolean => !this.isRunning && !this.#hasGroup() && !known.some(isAlive);
    while (!isGone()) {
      if (Date.now() >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    return true;
  }

  #hasGroup(): boolean {
    return process.platform !== 'win32' && send(-this.#pid, 0);
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL', known: readonly KnownProcess[] = []): void {
    if (process.platform === 'win32') this.#process.kill(signal);
    else send(-this.#pid, signal);
    for (const each of known) if (isAlive(each)) send(each.pid, signal);
  }
}

/** Whether there was anybody to take the signal. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function environmentOf({ env, environment = 'clean' }: CommandTarget): NodeJS.ProcessEnv {
  if (environment === 'inherited') return { ...process.env, ...env };
  const kept = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...env };
}

function reasonOf({ code, message }: NodeJS.ErrnoException, { command, cwd }: CommandTarget): string {
  if (code === 'ENOENT' && cwd === undefined) return `there is no program "${command}"`;
  return code === 'EACCES' ? `"${command}" is no program that may be run` : `"${command}": ${message}`;
}

function ignore(): void {}
