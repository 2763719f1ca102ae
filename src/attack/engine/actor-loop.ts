import type { LogLevel } from '../../format/model/enumeration-types.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { failUnreachable, type Value, type ValueMap } from '../../format/model/value.ts';
import { type ActorProgram, type ActorState, initialState } from './actor.ts';
import type { Effect, Incoming, Unstamped, UnstampedRecord } from './actor-messages.ts';
import type { Binding } from './binding.ts';
import type { Clock, Endpoint, Sent, Transport } from './ports.ts';
import { createRuledSends } from './ruled-sends.ts';
import { type ActorInput, stepActor } from './step.ts';
import { createEraField } from './work.ts';

/** The ports that all actors of a run share. */
export interface RunPorts {
  readonly clock: Clock;
  readonly askMs: number;
  readonly seed: number;
  freshId(): string;
  /** The endpoint at which this actor listens; undefined before it does. */
  endpoint(): Endpoint | undefined;
  /** Values of all actors, as `actor.name`. */
  shared(): ValueMap;
  record(record: UnstampedRecord): void;
  log(actor: string, level: LogLevel, message: string): void;
  warn(diagnostic: Diagnostic): void;
  /** Called when the actor has changed its state. */
  moved(): void;
  /** Replaces an effect before it is performed, where outgoing traffic is limited. */
  admit?: ((effect: Effect) => readonly Effect[]) | undefined;
  /** Fails the run for a fault of ours. The fault is never ignored, even if other actors go on. */
  fail(message: string): void;
}

export interface ActorLoop {
  start(): void;
  receive(message: Incoming): void;
  /** Lets the actor check whether it can go on. */
  tick(): void;
  state(): ActorState;
  stop(): void;
}

/**
 * Performs the effects of an actor's steps. The loop is the actor's only writer: it takes up an input only when the one
 * before it is finished, even if an effect produces the next one.
 */
export function createActorLoop(
  program: ActorProgram,
  binding: Binding,
  transport: Transport,
  ports: RunPorts,
): ActorLoop {
  let actor = initialState;
  // Peers may connect as soon as the port is open; their messages wait until every server is ready.
  let busy = true;
  let stopped = false;
  const inputs: ActorInput[] = [];
  // Most documents have no `x-wire` rules; their messages skip this path.
  const ordered = program.phases.some(({ wire }) => wire !== undefined)
    ? createRuledSends(program, binding, transport, ports)
    : undefined;
  const wakes = new Set<() => void>();

  const ids = { own: ports.freshId(), fresh: ports.freshId };
  const context = {
    program,
    binding,
    shared: ports.shared,
    askMs: ports.askMs,
    seed: ports.seed,
    ids,
    endpoint: ports.endpoint,
    timestamp: () => ports.clock.timestamp(),
  };

  function take(input: ActorInput): void {
    if (stopped) return;
    inputs.push(input);
    if (!busy) work();
  }

  function work(): void {
    busy = true;
    for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
      try {
        const result = stepActor(actor, next, context);
        actor = result.actor;
        const effects = ports.admit === undefined ? result.effects : result.effects.flatMap(ports.admit);
        for (const effect of effects) perform(effect);
      } catch (thrown) {
        ports.fail(`actor "${program.name}": ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        return;
      }
    }
    busy = false;
    ports.moved();
  }

  /** A message that was not written whole has delivered nothing of the document, so its pieces are recorded as `begun`. */
  function recordSent(record: Unstamped<MessageRecord>, wire: Value | undefined, cut?: string): void {
    if (wire === undefined && cut === undefined) ports.record(record);
    else {
      const { pieces, ...rest } = record;
      const kept = pieces === undefined ? {} : cut === undefined ? { pieces } : { begun: pieces };
      ports.record({
        ...rest,
        ...kept,
        ...createEraField(record.era, wire),
        ...(cut !== undefined && { noted: cut }),
      });
    }
  }

  function perform(effect: Effect): void {
    switch (effect.kind) {
      case 'record':
        ports.record(effect.record);
        break;
      case 'answer':
        if (effect.order !== undefined) {
          ordered?.answer(effect, effect.order);
          break;
        }
        transport.answer(effect.exchange, effect.answer, (wire, cut) => recordSent(effect.record, wire, cut));
        ordered?.answered();
        break;
      case 'part':
        transport.part?.(effect.exchange, effect.content, (wire, cut) => recordSent(effect.record, wire, cut));
        break;
      case 'notify': {
        const { target, method, params, record, how } = effect;
        if (how?.order !== undefined) {
          const { order, ...rest } = how;
          ordered?.send(record, order, (told, by) =>
            transport.notify(target, method, params, told, { ...rest, ...by }),
          );
          break;
        }
        const sent: Sent = (session, era, wire, cut) =>
          recordSent({ ...record, session, ...createEraField(era) }, wire, cut);
        transport.notify(target, method, params, sent, how);
        break;
      }
      case 'ask': {
        const { target, ask, method, params, record, how } = effect;
        if (how?.order !== undefined) {
          const { order, ...rest } = how;
          ordered?.send(record, order, (told, by) =>
            transport.ask(target, ask, method, params, told, { ...rest, ...by }),
          );
          break;
        }
        const sent: Sent = (session, era, wire, cut) =>
          recordSent({ ...record, session, ...createEraField(era, wire) }, wire, cut);
        transport.ask(target, ask, method, params, sent, how);
        break;
      }
      case 'wake': {
        const cancel = ports.clock.wakeAt(effect.at, () => {
          wakes.delete(cancel);
          take({ kind: 'tick', now: ports.clock.now() });
        });
        wakes.add(cancel);
        break;
      }
      case 'log':
        ports.log(program.name, effect.level, effect.message);
        break;
      case 'warn':
        ports.warn(effect.diagnostic);
        break;
      case 'fail':
        ports.fail(`actor "${program.name}": ${effect.message}`);
        break;
      default:
        failUnreachable(effect);
    }
  }

  return {
    start() {
      inputs.unshift({ kind: 'start', now: ports.clock.now() });
      work();
    },
    receive(message) {
      take({ kind: 'message', message, now: ports.clock.now() });
      ordered?.received(message);
    },
    tick: () => take({ kind: 'tick', now: ports.clock.now() }),
    state: () => actor,
    stop() {
      stopped = true;
      ordered?.stop();
      for (const cancel of wakes) cancel();
    },
  };
}
