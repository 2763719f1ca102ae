import { randomUUID } from 'node:crypto';
import type { Value } from '../../../format/model/value.ts';
import {
  isGivenHeader,
  isSecretName,
  keepSecretParts,
  listLiteralSecrets,
  listSecretForms,
  listSecrets,
  redactUrl,
} from '../../../secrets/given-secrets.ts';
import type { AgentUnderTest, Briefing, RunningAgent } from '../agent-under-test.ts';
import { chainLookups, createBriefingLookup, fillText, fillValue, type Lookup } from '../placeholders.ts';
import type { Configure, ServedTarget, TargetContext, TargetHeaders } from '../targets.ts';
import { askOverHttp, type HttpQuestion } from './http-exchange.ts';
import { fillAt, listVariables, namesEndpoints, namesRun } from './known-placeholders.ts';
import { fillHeaders } from './request-headers.ts';
import { ServerProgram } from './server-program.ts';

/** The facts that a run needs about its server. */
export interface HostVisit {
  readonly lookup: Lookup;
  /** The values that were taken from the environment for it. */
  readonly secrets: readonly string[];
  /** Explains why a connection failed; adds how the server ended, if it has. */
  explained(reason: string): Promise<string>;
}

/** The parts of the agent that a run uses, and how they are released. */
export type OpenedInterfaces = Pick<RunningAgent, 'addresses' | 'missed'> & { close?(): Promise<void> };

export interface HostOptions {
  readonly target: ServedTarget & { readonly body?: unknown; readonly prompt?: string };
  readonly url: string;
  readonly context: TargetContext;
}

const configureMs = 30_000;

/** A server that many runs use: we start it if its target says so, and send it the endpoints of each run. */
export class TargetHost {
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
    this.isTold = namesEndpoints(each) || namesEndpoints(before);
    // Each run overwrites the configuration of the one before, unless the server can separate runs.
    this.isOneAtATime = namesEndpoints(before) && !(namesRun(before) && namesRun(each));
    this.#target = target;
    this.#url = url;
    this.#context = context;
    this.#program = start === undefined ? undefined : new ServerProgram(start, url, context);
  }

  /** `open` must not connect yet, so that problems of a target appear before anything is started or configured. */
  async launch(
    briefing: Briefing,
    open: (visit: HostVisit) => OpenedInterfaces | Promise<OpenedInterfaces>,
  ): Promise<RunningAgent> {
    const program = this.#program;
    const { environment } = this.#context;
    const run = randomUUID();
    const lookup = chainLookups(
      (name) => (name === 'run' ? run : undefined),
      createBriefingLookup(briefing, environment),
    );
    const { headers = {}, body = null, configure } = this.#target;
    const taken = listVariables([headers, body, configure ?? null] as Value);
    const secrets = taken.map((name) => environment[name] ?? '');
    const request = configure && createConfigureRequest(configure, lookup);
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
      secrets: collectServedSecrets(this.#target, this.#url, secrets, this.#context),
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

  /** The facts that every agent at an address shares. */
  describe(name: string, kind: string): Omit<AgentUnderTest, 'speaks' | 'launch'> {
    const { isTold, isOneAtATime } = this;
    const { prompt } = this.#target;
    const place = redactUrl(this.#url);
    const shared = { name, kind, place, remembers: true, isTold, isOneAtATime, prompt };
    return { ...shared, findLaunchProblem: () => this.#program?.findProblem(), close: () => this.close() };
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

function createConfigureRequest(
  { url, method = 'POST', headers, body }: Configure,
  lookup: Lookup,
): Omit<HttpQuestion, 'signal'> {
  const value = body as Value | undefined;
  return {
    url,
    method,
    headers: fillHeaders(headers, lookup, 'configure.headers'),
    ...(value !== undefined && {
      body: fillAt('configure.body', value, lookup, () => fillValue(value, lookup)),
    }),
  };
}

/** The secrets in a server's settings that must not be stored, in every form in which they may come back. */
export function collectServedSecrets(
  { headers = {}, configure, start }: ServedTarget,
  url: string,
  /** The values that were taken from the environment for it. */
  taken: readonly string[],
  { environment }: TargetContext,
): readonly string[] {
  const ofConfigure = configure === undefined ? [] : listSecrets({ url: configure.url });
  return listSecretForms([
    ...listSecrets({ url, secrets: taken }),
    ...ofConfigure,
    ...[headers, configure?.headers ?? {}].flatMap((each) => findHeaderSecrets(each, environment)),
    ...listLiteralSecrets(Object.values(start?.env ?? {})),
    ...listVariables([start?.command ?? '', start?.env ?? {}] as Value)
      // Only variables with a secret-looking name: a path that the program needs occurs in all of its output.
      .filter(isSecretName)
      .map((name) => environment[name] ?? ''),
  ]);
}

/** The values of headers, without the parts that change from run to run. */
function findHeaderSecrets(values: TargetHeaders, environment: TargetContext['environment']): readonly string[] {
  const given = Object.entries(values).filter(([name, value]) => isGivenHeader(name, value));
  return keepSecretParts(
    given.flatMap(([, value]) =>
      fillText(value, (name) => environment[/^env\.(\w+)$/.exec(name)?.[1] ?? ''] ?? '\n').split('\n'),
    ),
  );
}
