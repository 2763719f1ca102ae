import { a2aClient } from '../../src/attack/bindings/a2a/a2a-client-binding.ts';
import { agUiClient } from '../../src/attack/bindings/ag-ui/ag-ui-client-binding.ts';
import { mcpClient } from '../../src/attack/bindings/mcp/mcp-client-binding.ts';
import { mcpServer } from '../../src/attack/bindings/mcp/mcp-server-binding.ts';
import type { Answer, Incoming, Recipient } from '../../src/attack/engine/actor-messages.ts';
import type { Clock, Transport } from '../../src/attack/engine/ports.ts';
import { type Run, type RunOptions, startRun } from '../../src/attack/engine/run-document.ts';
import type { RunEnd, RunLimits } from '../../src/attack/engine/run-end.ts';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { isValueMap } from '../../src/format/model/value.ts';
import type { MessageRecord, TraceRecord, Value } from '../../src/index.ts';
import { asRunOf } from './ag-ui-events.ts';

/** Time that only moves when a test says so; timers fire in their order. */
export class VirtualClock implements Clock {
  #now = 0;
  #timers: { readonly time: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  timestamp(): string {
    return new Date(this.#now).toISOString();
  }

  wakeAt(time: number, callback: () => void): () => void {
    const timer = { time, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** The number of timers that are set. */
  waiting(): number {
    return this.#timers.length;
  }

  advance(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (;;) {
      const due = this.#timers.filter(({ time }) => time <= until).sort((a, b) => a.time - b.time)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.time);
      due.callback();
    }
    this.#now = until;
  }
}

export interface Sent {
  readonly kind: 'answer' | 'notify' | 'ask';
  readonly target: string;
  readonly method?: string;
  readonly content: Value;
  readonly ask?: string;
}

/** A transport without bytes: the test is the peer. */
export class VirtualTransport implements Transport {
  readonly sent: Sent[] = [];
  /** The number of open sessions that the transport reports; a test sets it. */
  sessions = 1;
  connected = true;
  /** A message has begun and not ended. */
  receiving = false;
  closed = false;
  #receive: (message: Incoming) => void = () => {};
  #exchanges = 0;

  async open(receive: (message: Incoming) => void) {
    this.#receive = receive;
    return { url: 'virtual:' };
  }

  answer(exchange: string, answer: Answer, sent: () => void): void {
    sent();
    this.sent.push({
      kind: 'answer',
      target: exchange,
      content: answer.kind === 'result' ? answer.result : answer.error,
    });
  }

  notify(target: Recipient, method: string, params: Value | undefined, sent: (session: string) => void): void {
    this.sent.push({ kind: 'notify', target: nameOf(target), method, content: params ?? null });
    sent('s1');
  }

  ask(
    target: Recipient,
    ask: string,
    method: string,
    params: Value | undefined,
    sent: (session: string) => void,
  ): void {
    this.sent.push({ kind: 'ask', target: nameOf(target), method, content: params ?? null, ask });
    this.connected = true;
    sent('s1');
  }

  openSessions(): number {
    return this.sessions;
  }

  isConnected(): boolean {
    return this.connected;
  }

  isReceiving(): boolean {
    return this.receiving;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** Sends a request and returns the answer, if there is one. */
  request(method: string, params?: Value): Value | undefined {
    this.#exchanges += 1;
    const exchange = `x${this.#exchanges}`;
    this.#receive({ kind: 'request', session: 's1', exchange, method, id: this.#exchanges, params });
    return this.sent.find(({ kind, target }) => kind === 'answer' && target === exchange)?.content;
  }

  notification(method: string, params?: Value): void {
    this.#receive({ kind: 'notification', session: 's1', method, params });
  }

  reply(ask: string, result: Value): void {
    this.#receive({ kind: 'answer', session: 's1', ask, answer: { kind: 'result', result } });
  }

  deliver(message: Incoming): void {
    this.#receive(message);
  }

  /** The requests of a client actor: the contents of its calls, in order. */
  calls(): Value[] {
    return this.sent.flatMap(({ kind, content }) => (kind === 'ask' ? [content] : []));
  }

  /** Streams parts in answer to a client's call; the first is number 1. */
  stream(call: number, ...parts: Value[]): void {
    const asked = this.calls()[call - 1];
    for (const each of parts) {
      const [part = each] = isValueMap(each) ? asRunOf(isValueMap(asked) ? asked : {}, [each]) : [];
      this.#receive({
        kind: 'part',
        session: 's1',
        ask: this.#ask(call),
        part,
        raw: () => btoa(JSON.stringify(part)),
      });
    }
  }

  /** Ends the stream of a client's call; with a reason, too early. */
  hangUp(call: number, reason?: string): void {
    this.connected = false;
    this.#receive({
      kind: 'end',
      session: 's1',
      ask: this.#ask(call),
      ...(reason !== undefined && { reason }),
    });
  }

  #ask(call: number): string {
    const ask = this.sent.filter(({ kind }) => kind === 'ask')[call - 1]?.ask;
    if (ask === undefined) throw new Error(`there was no call ${call}`);
    return ask;
  }
}

function nameOf(target: Recipient): string {
  return target === 'every session' ? target : target.exchange;
}

export interface VirtualRun {
  readonly run: Run;
  readonly clock: VirtualClock;
  readonly records: TraceRecord[];
  readonly logs: string[];
  peer(actor?: string): VirtualTransport;
  /** Names of the phases that were entered, in order. */
  phases(actor?: string): string[];
  messages(): MessageRecord[];
  /** Advances the clock until the run has ended. */
  end(): Promise<RunEnd>;
}

/** Plays a document on a virtual clock, with a virtual peer for each actor. */
export async function playVirtually(
  document: NormalizedDocument,
  limits: Partial<RunLimits> = {},
  more: Partial<RunOptions> = {},
): Promise<VirtualRun> {
  const clock = new VirtualClock();
  const records: TraceRecord[] = [];
  const logs: string[] = [];
  let ids = 0;
  const transports = new Map<string, VirtualTransport>();
  const transport = ({ name }: { readonly name: string }): VirtualTransport => {
    const made = new VirtualTransport();
    transports.set(name, made);
    return made;
  };
  const run = await startRun(document, {
    modes: [
      { binding: mcpServer, transport },
      { binding: mcpClient, transport },
      { binding: agUiClient, transport },
      { binding: a2aClient, transport },
    ],
    clock,
    limits,
    freshId: () => `id-${++ids}`,
    record: (record) => records.push(record),
    log: (actor, level, message) => logs.push(`${actor} ${level} ${message}`),
    ...more,
  });
  const peer = (actor = 'default'): VirtualTransport => {
    const transport = transports.get(actor);
    if (transport === undefined) throw new Error(`no actor ${actor}`);
    return transport;
  };
  return {
    run,
    clock,
    records,
    logs,
    peer,
    phases: (actor = 'default') =>
      records.flatMap((record) => (record.kind === 'phase' && record.actor === actor ? (record.phase ?? '') : [])),
    messages: () => records.filter((record): record is MessageRecord => 'origin' in record),
    async end() {
      let ended: RunEnd | undefined;
      run.ended.then((end) => {
        ended = end;
      });
      for (let rounds = 0; ended === undefined && rounds < 10_000; rounds++) {
        clock.advance(1_000);
        await Promise.resolve();
        await Promise.resolve();
      }
      if (ended === undefined) throw new Error('the run does not end');
      return ended;
    },
  };
}
