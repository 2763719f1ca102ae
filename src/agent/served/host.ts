import { randomUUID } from 'node:crypto';
import type { Value } from '../../model/value.ts';
import type { Briefing, RunningAgent } from '../agent.ts';
import { briefingLookup, fillValue, firstOf, type Lookup } from '../placeholders.ts';
import type { Configure, ServedTarget, TargetContext } from '../targets.ts';
import { givenSecrets } from './given-secrets.ts';
import { filledHeaders } from './headers.ts';
import { askOverHttp, type HttpQuestion } from './http-exchange.ts';
import { filledAt, namesRun, tellsEndpoints, variablesIn } from './open-names.ts';
import { ServerProgram } from './server-program.ts';

/** The facts that a run needs about its server. */
export interface Visit {
  readonly lookup: Lookup;
  /** The values that were taken from the environment for it. */
  readonly secrets: readonly string[];
  /** Explains why a connection failed; adds how the server ended, if it has. */
  explained(reason: string): Promise<string>;
}

/** The parts of the agent that a run uses, and how they are released. */
export type Opened = Pick<RunningAgent, 'doors' | 'missed'> & { close?(): Promise<void> };

export interface HostOptions {
  readonly target: ServedTarget & { readonly body?: unknown };
  readonly url: string;
  readonly context: TargetContext;
}

const configureMs = 30_000;

/** A server that many runs use: we start it if its target says so, and tell it about each run. */
export class Host {
  readonly isTold: boolean;
  readonly isOneAtATime: boolean;
  readonly #target: HostOptions['target'];
  readonly #url: string;
  readonly #context: TargetContext;
  readonly #program: ServerProgram | undefined;
  readonly #closing = new AbortController();
  #turn: Promise<void> = Promise.resolve();
  #deathsTold = 0;

  constructor({ target, url, context }: HostOptions) {
    const { headers = {}, body = null, configure = null, start } = target;
    const each = [headers, body] as Value;
    const before = configure as unknown as Value;
    this.isTold = tellsEndpoints(each) || tellsEndpoints(before);
    // Each run overwrites the configuration of the one before, unless the server can tell runs apart.
    this.isOneAtATime = tellsEndpoints(before) && !(namesRun(before) && namesRun(each));
    this.#target = target;
    this.#url = url;
    this.#context = context;
    this.#program = start === undefined ? undefined : new ServerProgram(start, url, context);
  }

  /** `open` must not connect yet, so that problems of a target appear before anything is started or configured. */
  async launch(briefing: Briefing, open: (visit: Visit) => Opened | Promise<Opened>): Promise<RunningAgent> {
    const program = this.#program;
    const { environment } = this.#context;
    const run = randomUUID();
    const lookup = firstOf(
      (name) => (name === 'run' ? run : undefined),
      briefingLookup(briefing, environment),
    );
    const { headers = {}, body = null, configure } = this.#target;
    const taken = variablesIn([headers, body, configure ?? null] as Value);
    const secrets = taken.map((name) => environment[name] ?? '');
    const request = configure && configureRequest(configure, lookup);
    const explained = async (reason: string): Promise<string> => {
      const how = await program?.endedNow(true);
      return how === undefined ? reason : `${reason}; the server is gone, ${how}`;
    };
    const { close, ...opened } = await open({ lookup, secrets, explained });
    const leave = await this.#takeTurn();
    const deathsBefore = this.#deathsTold;
    try {
      await program?.up();
      if (request !== undefined) await this.#configure({ ...request, secrets }, explained);
    } catch (thrown) {
      leave();
      await close?.();
      throw thrown;
    }
    let facts: ReturnType<NonNullable<RunningAgent['program']>>;
    return {
      ...opened,
      secrets: givenSecrets(this.#target, this.#url, secrets, this.#context),
      program: () => facts,
      stop: async () => {
        try {
          await close?.();
          await program?.endedNow(false);
        } finally {
          leave();
        }
        if (program === undefined) return;
        if (program.deaths > deathsBefore) facts = program.lastDeath;
        this.#deathsTold = program.deaths;
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#program?.close();
  }

  async #takeTurn(): Promise<() => void> {
    if (!this.isOneAtATime) return () => {};
    const before = this.#turn;
    let leave = (): void => {};
    this.#turn = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }

  async #configure(
    request: Omit<HttpQuestion, 'signal'>,
    explained: (reason: string) => Promise<string>,
  ): Promise<void> {
    const limit = AbortSignal.timeout(configureMs);
    const signal = AbortSignal.any([limit, this.#closing.signal]);
    const outcome = await askOverHttp({ ...request, signal });
    if (outcome.ok) return;
    const reason = limit.aborted ? `nothing came for ${configureMs / 1_000} s` : outcome.reason;
    throw new Error(`configure: ${outcome.why === 'broken' ? await explained(reason) : reason}`);
  }
}

function configureRequest(
  { url, method = 'POST', headers, body }: Configure,
  lookup: Lookup,
): Omit<HttpQuestion, 'signal'> {
  const value = body as Value | undefined;
  return {
    url,
    method,
    headers: filledHeaders(headers, lookup, 'configure.headers'),
    ...(value !== undefined && {
      body: filledAt('configure.body', value, lookup, () => fillValue(value, lookup)),
    }),
  };
}
