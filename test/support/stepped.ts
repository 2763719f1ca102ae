import { type ActorState, compileActor, initialState } from '../../src/attack/engine/actor.ts';
import type { Effect, Incoming } from '../../src/attack/engine/actor-messages.ts';
import type { Act, AnswerPlan, Binding, ClientBinding, ServerBinding } from '../../src/attack/engine/binding.ts';
import { type ActorInput, type StepContext, stepActor } from '../../src/attack/engine/step.ts';
import type { NormalizedActor } from '../../src/format/model/normalized.ts';
import type { Value } from '../../src/index.ts';

// Actors that a test leads step by step, with a binding of its own: what goes in, and every effect that comes out.

/** A server that answers every request with an empty result, except for what the test says. */
export const server = (plan: Partial<AnswerPlan> = {}, more: Partial<ServerBinding> = {}): ServerBinding => ({
  mode: 'mcp_server',
  protocol: 'mcp',
  views: {} as never,
  isNotification: (method) => method.startsWith('notifications/'),
  plan: () => ({ steps: [], answer: () => ({ kind: 'result', result: {} }), ...plan }),
  ...more,
});

/** A client of which every phase with a state performs the acts, and to which each part of an answer is its own reading. */
export const client = (acts: readonly Act[], more: Partial<ClientBinding> = {}): ClientBinding => {
  const reader = {
    read: (part: Value) => (part === null ? undefined : ({ next: reader, events: [], ...(part as object) } as never)),
    end: () => undefined,
  };
  return {
    mode: 'ag_ui_client',
    protocol: 'ag_ui',
    views: {} as never,
    acts: () => ({ acts }),
    reader: () => reader,
    ...more,
  };
};

export interface Stepped {
  start(): readonly Effect[];
  take(message: object, now?: number): readonly Effect[];
  tick(now: number): readonly Effect[];
  state(): ActorState;
}

export function stepped(binding: Binding, phases: readonly object[], given: Partial<StepContext> = {}): Stepped {
  const named = phases.map((phase, index) => ({ name: ['one', 'two', 'three'][index], ...phase }));
  const actor = { name: 'a', mode: binding.mode, phases: named } as unknown as NormalizedActor;
  let state = initialState;
  let ids = 0;
  const context: StepContext = {
    program: compileActor(actor, binding, { actors: [actor] }),
    binding,
    shared: () => ({}),
    askMs: 1_000,
    seed: 0,
    ids: { own: 'own', fresh: () => `id-${++ids}` },
    endpoint: () => ({ url: 'virtual:' }),
    timestamp: () => 'now',
    ...given,
  };
  const take = (input: ActorInput) => {
    const { actor: next, effects } = stepActor(state, input, context);
    state = next;
    return effects;
  };
  return {
    start: () => take({ kind: 'start', now: 0 }),
    take: (message, now = 0) => take({ kind: 'message', message: message as Incoming, now }),
    tick: (now) => take({ kind: 'tick', now }),
    state: () => state,
  };
}

/** An extractor that takes a value by its path. */
export const taking = (name: string, source: string, selector: string) => ({
  name,
  source,
  type: 'json_path',
  selector,
});

/** A request of the peer, under the exchange `x`. */
export const request = { kind: 'request', session: 's', exchange: 'x', method: 'm', id: 1, params: { a: 1 } };

/** A server that has begun the first of two phases; `event` ends it. A client likewise, with its acts. */
export function serving(binding: ServerBinding, phase: object = {}, event = 'never'): Stepped {
  return begun(binding, phase, event);
}
export function calling(
  acts: readonly Act[],
  more: Partial<ClientBinding> = {},
  phase: object = {},
  event = 'never',
): Stepped {
  return begun(client(acts, more), phase, event);
}
function begun(binding: Binding, phase: object, event: string): Stepped {
  const actor = stepped(binding, [{ state: {}, trigger: { event }, ...phase }, {}]);
  actor.start();
  return actor;
}

/** An act of a client: a call with the params `{ b: 1 }`. */
export const does = (method: string, more: Partial<Act> = {}): Act => ({
  method,
  content: () => ({ b: 1 }),
  ...more,
});

// What the peer of a client says: a part of the answer to its first call, an answer in one piece, the end of an answer.
export const part = (reading: Value, more: object = {}) => ({
  kind: 'part',
  session: 's',
  ask: 'a-1',
  part: reading,
  raw: () => 'raw',
  ...more,
});
export const answer = (ask: string, result: Value = {}) => ({
  kind: 'answer',
  session: 's',
  ask,
  answer: { kind: 'result', result },
});
export const end = (more: object = {}) => ({ kind: 'end', session: 's', ask: 'a-1', ...more });

/** The methods of the messages that went out. */
export const sent = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => ('method' in effect ? [effect.method] : []));

/** The records among the effects. */
export const recorded = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === 'record' ? [effect.record] : []));

/** The warnings among the effects. */
export const warned = (effects: readonly Effect[]) =>
  effects.flatMap((effect) =>
    effect.kind === 'warn' && effect.diagnostic.severity === 'warning'
      ? [[effect.diagnostic.code, effect.diagnostic.message]]
      : [],
  );
