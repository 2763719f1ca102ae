import { resolve } from 'node:path';
import { waitAtMost } from '../../../attack/transport/mcp-client/pause.ts';
import { Child, type ChildEnd } from '../../../attack/transport/program/child.ts';
import { createEnvironment } from '../../../attack/transport/program/environment.ts';
import { joinLastLines } from '../../../attack/transport/program/last-lines.ts';
import type { Value } from '../../../format/model/value.ts';
import { parseDuration } from '../../../format/primitives/parse-duration.ts';
import { coverEchoes, type EchoCover } from '../../../secrets/echo-cover.ts';
import { listLiteralSecrets } from '../../../secrets/given-secrets.ts';
import type { ProgramFacts } from '../agent-under-test.ts';
import { findProgramProblem } from '../command/resolve-command.ts';
import { fillText, type Lookup } from '../placeholders.ts';
import { splitCommand } from '../split-command.ts';
import type { Start, TargetContext } from '../targets.ts';
import { fillAt, listVariables } from './known-placeholders.ts';
import { awaitReady, findConnectionProblem, keepsConnection } from './server-ready.ts';

const defaultTimeoutMs = 30_000;
const mostStarts = 2;
const keptErrorBytes = 8 * 1024;
const limits = { waitingBytes: 0, logBytes: 0, goodbyeMs: 2_000 };
/** The longest wait for the end of the process: a connection breaks a moment before the exit is reported. */
const lastWordsMs = 1_000;

/** A server that is started once for many runs. If it ends by itself, it is started again for the next run. */
export class ServerProgram {
  readonly #start: Start;
  readonly #url: string;
  readonly #context: TargetContext;
  readonly #clean: EchoCover;
  readonly #closing = new AbortController();
  #server: Server | undefined;
  #starting: Promise<void> | undefined;
  #failures = 0;
  #lastFailure = '';
  #deaths = 0;
  #lastDeath: ProgramFacts | undefined;

  constructor(start: Start, url: string, context: TargetContext) {
    this.#start = start;
    this.#url = url;
    this.#context = context;
    const { command, env = {} } = start;
    const taken = [command, ...Object.values(env)]
      .flatMap((value) => listVariables(value as Value))
      .map((name) => context.environment[name] ?? '');
    this.#clean = coverEchoes([...listLiteralSecrets(Object.values(env)), ...taken]);
  }

  /** How many times it has ended by itself. */
  get deaths(): number {
    return this.#deaths;
  }

  get lastDeath(): ProgramFacts | undefined {
    return this.#lastDeath;
  }

  /** Why it cannot be run, as far as that shows without starting it. */
  findProblem(): string | undefined {
    try {
      const { command, env, environment, cwd = '.' } = this.#program();
      const problem = findProgramProblem(command, cwd, createEnvironment({ env, environment }).PATH);
      return problem === undefined ? undefined : this.#clean.text(problem);
    } catch {
      // A placeholder without a value is reported at the start.
      return undefined;
    }
  }

  /** Resolves once it accepts connections. Concurrent callers wait for the same start. */
  up(): Promise<void> {
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** How it ended, if it just has. `isLikely` is set if the caller saw a connection break. */
  async endedNow(isLikely: boolean): Promise<string | undefined> {
    const server = this.#server;
    if (server === undefined || server.how !== undefined || this.#closing.signal.aborted) return server?.how;
    if (isLikely || !(await keepsConnection(this.#url))) await waitAtMost(lastWordsMs, server.ended);
    return server.how;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting?.catch(() => {});
    await this.#server?.stop();
  }

  async #begin(): Promise<void> {
    if (this.#closing.signal.aborted) throw new Error('the server was ended, there are no more runs');
    const before = this.#server;
    if (before !== undefined && (await this.endedNow(false)) === undefined) return;
    // A server that never becomes ready would cost every run the whole timeout.
    if (this.#failures >= mostStarts) throw new Error(this.#lastFailure);
    await before?.stop();
    this.#server = undefined;
    try {
      await this.#launch();
      this.#failures = 0;
    } catch (thrown) {
      this.#failures += 1;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      const again = before?.how === undefined ? '' : `the server is gone, ${before.how}; started again, `;
      this.#lastFailure = `${again}the server did not come up: ${reason}`;
      throw new Error(this.#lastFailure);
    }
  }

  async #launch(): Promise<void> {
    const { health, timeout } = this.#start;
    const seconds = timeout === undefined ? undefined : parseDuration(timeout);
    const withinMs = typeof seconds === 'number' ? seconds * 1_000 : defaultTimeoutMs;
    // Another server at this address would be attacked instead of ours.
    if ((await findConnectionProblem(this.#url, this.#closing.signal)) === undefined)
      throw new Error(
        `another program already listens at ${new URL(this.#url).host}; end it, or leave \`start\` out to attack it`,
      );
    const server = await Server.launch(this.#program(), this.#clean);
    this.#server = server;
    const waiting = new AbortController();
    const callOff = (): void => waiting.abort();
    this.#closing.signal.addEventListener('abort', callOff, { once: true });
    void server.ended.then(callOff);
    if (this.#closing.signal.aborted) callOff();
    const problem = await awaitReady({ url: this.#url, health, withinMs, signal: waiting.signal });
    this.#closing.signal.removeEventListener('abort', callOff);
    const reason = server.how ?? problem;
    if (reason !== undefined) {
      await server.stop();
      throw new Error(reason);
    }
    void server.ended.then((facts) => {
      if (facts === undefined) return;
      this.#deaths += 1;
      this.#lastDeath = facts;
    });
  }

  #program(): Parameters<typeof Child.launch>[0] {
    const { command, env = {}, environment, cwd = '.' } = this.#start;
    const { environment: variables, folder } = this.#context;
    const lookup: Lookup = (name) => variables[/^env\.(\w+)$/.exec(name)?.[1] ?? ''];
    const filled = (where: string, text: string): string => fillAt(where, text, lookup, () => fillText(text, lookup));
    const split = typeof command === 'string' ? splitCommand(command) : { ok: true as const, words: command };
    if (!split.ok) throw new Error(`start.command: ${split.problem}`);
    const [program = '', ...args] = split.words.map((word) => filled('start.command', word));
    return {
      command: program,
      args,
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(`start.env.${name}`, value)])),
      environment,
      cwd: resolve(folder, cwd),
    };
  }
}

/** One launch of the server. Its output is read and dropped, except for the end of its standard error. */
class Server {
  /** Resolves when it has ended; with its facts, unless we ended it. */
  readonly ended: Promise<ProgramFacts | undefined>;
  how: string | undefined;
  #child: Child | undefined;
  #isUnwanted = false;

  private constructor(end: Promise<ProgramFacts>) {
    this.ended = end.then((facts) => (this.#isUnwanted ? undefined : facts));
  }

  static async launch(program: Parameters<typeof Child.launch>[0], clean: EchoCover): Promise<Server> {
    let kept = Buffer.alloc(0);
    let tell: (facts: ProgramFacts) => void = () => {};
    const server = new Server(
      new Promise((resolveEnd) => {
        tell = resolveEnd;
      }),
    );
    server.#child = await Child.launch(program, limits, {
      output: () => {},
      errors(chunk) {
        kept = Buffer.concat([kept, chunk]);
        // Twice the size, so that a secret at the edge is masked as a whole before the text is cut.
        if (kept.length > 2 * keptErrorBytes) kept = kept.subarray(-2 * keptErrorBytes);
      },
      ended(_how, end) {
        const stderr = Buffer.from(clean.bytes(kept)).subarray(-keptErrorBytes).toString('utf8');
        server.how = describeServerEnd(end, stderr);
        tell({ ...end, stderr });
      },
    });
    return server;
  }

  async stop(): Promise<void> {
    this.#isUnwanted ||= this.how === undefined;
    await this.#child?.stop('at once');
  }
}

/** How it ended, with its last lines of standard error; they are cut after secrets in them were masked. */
function describeServerEnd({ exitCode, signal }: ChildEnd, stderr: string): string {
  const how = signal === undefined ? `with exit code ${exitCode}` : `by ${signal}`;
  const lines = joinLastLines(stderr);
  return `the program ended ${how}${lines === '' ? '' : `: ${lines}`}`;
}
