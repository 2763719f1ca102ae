import type { Action } from '../model/document.ts';
import type { Direction } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { ProtocolEvent } from '../model/execution.ts';
import type { MessageRecord } from '../model/trace.ts';
import { setOwn, unreachable, type Value, type ValueMap } from '../model/value.ts';
import { interpolateValue } from '../primitives/interpolate-value.ts';
import type { ActorProgram, ActorState, OpenExchange, PhaseProgram, WaitingExchange } from './actor.ts';
import type { ServerBinding } from './binding.ts';
import {
  type Answer,
  answerContent,
  type Effect,
  type Incoming,
  type Target,
  type Unstamped,
} from './messages.ts';

/** What a step sees of the world beside its actor. */
export interface StepContext {
  readonly program: ActorProgram;
  readonly binding: ServerBinding;
  /** Values of all actors, as `actor.name`. */
  readonly shared: ValueMap;
  /** How long the peer has to answer what it is asked within a request. */
  readonly askMs: number;
}

export type Input = { readonly now: number } & (
  | { readonly kind: 'start' }
  | { readonly kind: 'tick' }
  | { readonly kind: 'message'; readonly message: Incoming }
);

export interface Step {
  readonly actor: ActorState;
  readonly effects: readonly Effect[];
}

/**
 * What an input makes of an actor. No clock, timer, socket or wait inside: time comes in with the input, and
 * what is to be done goes out as effects. A message is handled whole: it is recorded and extracted from, then
 * answered, the answer is recorded and extracted from, and then the trigger is asked.
 */
export function step(actor: ActorState, input: Input, context: StepContext): Step {
  const worker = createWorker(actor, input.now, context);
  switch (input.kind) {
    case 'start':
      worker.enter(0);
      break;
    case 'tick':
      worker.giveUpWaiting();
      worker.advanceOn(undefined);
      break;
    case 'message':
      worker.handle(input.message);
      break;
    default:
      unreachable(input);
  }
  return worker.outcome();
}

function createWorker(before: ActorState, now: number, { program, binding, shared, askMs }: StepContext) {
  let { phase, enteredAt, values, waiting, asks } = before;
  // The trigger's counter is advanced in place, so the step works on a copy.
  let trigger = { ...before.trigger };
  const effects: Effect[] = [];

  const current = (): PhaseProgram => program.phases[phase] ?? emptyPhase;

  function messageRecord(
    fields: Pick<MessageRecord, 'kind' | 'origin' | 'method' | 'content'> & Partial<MessageRecord>,
  ): Unstamped<MessageRecord> {
    return {
      actor: program.name,
      protocol: binding.protocol,
      mode: program.mode,
      phase: current().name,
      ...fields,
    };
  }

  function extract(from: PhaseProgram, content: Value, direction: Direction): void {
    for (const { name, extract: run } of from.extractors) {
      const value = run(content, direction);
      if (value !== undefined) values = withEntry(values, name, value);
    }
  }

  function fill(value: Value, request?: Value, response?: Value): Value {
    const filled = interpolateValue(
      value,
      Object.keys(values).length === 0 ? shared : { ...shared, ...values },
      request,
      response,
    );
    warn(filled.diagnostics);
    return filled.value;
  }

  function warn(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics)
      effects.push({
        kind: 'warn',
        diagnostic: { ...diagnostic, message: `${program.name}, ${current().name}: ${diagnostic.message}` },
      });
  }

  function enter(index: number): void {
    phase = index;
    enteredAt = now;
    trigger = { eventCount: 0 };
    const entered = current();
    effects.push({ kind: 'record', record: { kind: 'phase', actor: program.name, phase: entered.name } });
    for (const action of entered.onEnter) perform(action);
    if (entered.afterMs !== undefined) effects.push({ kind: 'wake', at: now + entered.afterMs });
    // A phase that ends after no time ends at once.
    advanceOn(undefined);
  }

  function perform(action: Action): void {
    const { send, log, binding: others } = action;
    if (send?.method !== undefined) {
      const method = String(fill(send.method));
      const params = send.params === undefined ? undefined : fill(send.params);
      if (binding.isNotification(method)) notify('every session', method, params);
      else ask('every session', method, params, undefined);
    }
    if (log?.message !== undefined) {
      const message = String(fill(log.message));
      const level = log.level ?? 'info';
      effects.push({ kind: 'log', level, message });
      effects.push({
        kind: 'record',
        record: { kind: 'log', actor: program.name, phase: current().name, level, message },
      });
    }
    for (const key of Object.keys(others ?? {}))
      warn([
        {
          severity: 'warning',
          code: 'O-101',
          message: `no binding knows the entry action "${key}"; it is skipped`,
        },
      ]);
  }

  function notify(target: Target, method: string, params: Value | undefined): void {
    const record = messageRecord({ kind: 'notification', origin: 'attacker', method, content: params ?? {} });
    effects.push({ kind: 'notify', target, method, params, record });
  }

  function ask(
    target: Target,
    method: string,
    params: Value | undefined,
    exchange: OpenExchange | undefined,
  ): void {
    asks += 1;
    const key = `${program.name}-${asks}`;
    const record = messageRecord({
      kind: 'request',
      origin: 'attacker',
      method,
      id: key,
      content: params ?? {},
    });
    effects.push({ kind: 'ask', target, ask: key, method, params, record });
    const deadline = exchange === undefined ? undefined : now + askMs;
    if (deadline !== undefined) effects.push({ kind: 'wake', at: deadline });
    const entry: WaitingExchange = {
      method,
      params,
      phase: current().name,
      ...(exchange !== undefined && { exchange }),
      ...(deadline !== undefined && { deadline }),
    };
    waiting = { ...waiting, [key]: entry };
  }

  /** Carries a request's plan on until it is answered, or has to wait for the peer. */
  function carryOn(exchange: OpenExchange): void {
    const [next, ...rest] = exchange.steps;
    if (next === undefined) {
      answer(exchange);
      return;
    }
    const target = { exchange: exchange.exchange };
    const params = fill(next.params, exchange.params);
    const remaining = { ...exchange, steps: rest };
    if (next.kind === 'ask') ask(target, next.method, params, remaining);
    else {
      notify(target, next.method, params);
      carryOn(remaining);
    }
  }

  function answer(exchange: OpenExchange): void {
    const { method, id, session, params, phase: phaseName } = exchange;
    const planned = answerContent(exchange.answer);
    const content = fill(planned, params, planned);
    const filled: Answer =
      exchange.answer.kind === 'result'
        ? { kind: 'result', result: content }
        : { kind: 'error', error: content };
    effects.push({ kind: 'answer', exchange: exchange.exchange, answer: filled });
    const request = params === undefined ? {} : { request: params };
    effects.push({
      kind: 'record',
      record: {
        ...messageRecord({ kind: 'response', origin: 'attacker', method, content, id, session, ...request }),
        phase: phaseName,
      },
    });
    extract(exchange.extractFrom, content, 'response');
  }

  function handle(message: Incoming): void {
    switch (message.kind) {
      case 'request':
        handleRequest(message);
        break;
      case 'notification':
        handleNotification(message);
        break;
      case 'answer':
        handleAnswer(message);
        break;
      case 'malformed':
      case 'connection': {
        const { kind, ...fields } = message;
        effects.push({
          kind: 'record',
          record: { kind, actor: program.name, phase: current().name, ...fields },
        });
        break;
      }
      default:
        unreachable(message);
    }
  }

  function handleNotification(message: Extract<Incoming, { kind: 'notification' }>): void {
    const { session, method, params } = message;
    const content = params ?? {};
    const record = messageRecord({ kind: 'notification', origin: 'agent', method, content, session });
    effects.push({ kind: 'record', record });
    extract(current(), content, 'request');
    advanceOn({ eventType: method, content });
  }

  function handleRequest(message: Extract<Incoming, { kind: 'request' }>): void {
    const { exchange, session, method, id, params } = message;
    const content = params ?? {};
    const here = current();
    effects.push({
      kind: 'record',
      record: messageRecord({ kind: 'request', origin: 'agent', method, id, content, session }),
    });
    extract(here, content, 'request');
    const { steps, answer: planned, warnings } = binding.plan({ method, params }, here.state);
    warn(warnings ?? []);
    carryOn({
      exchange,
      session,
      method,
      id,
      params,
      phase: here.name,
      extractFrom: here,
      steps,
      answer: planned,
    });
    advanceOn({ eventType: method, content });
  }

  function handleAnswer({ session, ask: key, answer: given }: Extract<Incoming, { kind: 'answer' }>): void {
    const { [key]: asked, ...rest } = waiting;
    const content = answerContent(given);
    const method = asked?.method ?? 'unknown';
    const request = asked?.params === undefined ? {} : { request: asked.params };
    effects.push({
      kind: 'record',
      record: messageRecord({
        kind: 'response',
        origin: 'agent',
        method,
        id: key,
        content,
        session,
        ...request,
      }),
    });
    extract(current(), content, 'response');
    // Every session answers what was sent to every session, so such a request goes on waiting.
    if (asked?.exchange !== undefined) {
      waiting = rest;
      carryOn(asked.exchange);
    }
    if (asked !== undefined) advanceOn({ eventType: method, content });
  }

  function giveUpWaiting(): void {
    for (const [key, { deadline, exchange, method }] of Object.entries(waiting)) {
      if (deadline === undefined || deadline > now || exchange === undefined) continue;
      const { [key]: _, ...rest } = waiting;
      waiting = rest;
      warn([
        {
          severity: 'warning',
          code: 'O-102',
          message: `${method} was not answered in time; the call is answered without`,
        },
      ]);
      carryOn(exchange);
    }
  }

  /** Asks the trigger, and enters the next phase if it says so. */
  function advanceOn(event: ProtocolEvent | undefined): void {
    const { trigger: ends } = current();
    if (ends === undefined || phase + 1 >= program.phases.length) return;
    const result = ends(event, (now - enteredAt) / 1_000, trigger);
    if (result.kind === 'advanced') enter(phase + 1);
  }

  return {
    enter,
    handle,
    advanceOn,
    giveUpWaiting,
    outcome: (): Step => ({ actor: { phase, enteredAt, trigger, values, waiting, asks }, effects }),
  };
}

const emptyPhase: PhaseProgram = {
  name: '',
  state: undefined,
  extractors: [],
  onEnter: [],
  trigger: undefined,
  afterMs: undefined,
};

function withEntry(map: ValueMap, key: string, value: Value): ValueMap {
  const copy: Record<string, Value> = { ...map };
  setOwn(copy, key, value);
  return copy;
}
