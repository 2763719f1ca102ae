import type { Mode, Protocol } from '../model/enumerations.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import { isMessageRecord, type TraceRecord } from '../model/trace.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import type { BindingViews } from '../model/views.ts';
import { extractProtocol } from '../primitives/extract-protocol.ts';

/** How far an actor got through to the agent, as far as the records tell. */
export interface ActorDelivery {
  readonly mode: Mode;
  /** The agent sent this actor anything at all. */
  readonly reached: boolean;
  /** What the actor offers was fetched at least once (server), or the agent answered (client). */
  readonly delivered: boolean;
  /** Responses and events that were sent to the agent. */
  readonly served: number;
  readonly phasesEntered: readonly string[];
  /** Phases in which the agent sent or got any message. */
  readonly phasesSeen: readonly string[];
}

export interface Delivery {
  readonly [actor: string]: ActorDelivery;
}

export interface DeliveryTracker {
  add(record: TraceRecord): void;
  facts(): Delivery;
  /** Whether anything came from the agent on this protocol, or on this actor's connection. */
  isReached(protocol: Protocol, actor: string | undefined): boolean;
}

interface Tally {
  readonly mode: Mode;
  reached: boolean;
  delivered: boolean;
  served: number;
  readonly entered: Set<string>;
  readonly seen: Set<string>;
}

export function trackDelivery(document: NormalizedDocument, views: readonly BindingViews[]): DeliveryTracker {
  const byProtocol = new Map(views.map((view) => [view.protocol, view]));
  const tallies = new Map<string, Tally>();
  const tallyOf = (actor: string, mode: Mode): Tally => {
    let tally = tallies.get(actor);
    if (tally === undefined) {
      tally = { mode, reached: false, delivered: false, served: 0, entered: new Set(), seen: new Set() };
      tallies.set(actor, tally);
    }
    return tally;
  };
  for (const { name, mode } of document.attack.execution.actors) tallyOf(name, mode);
  return {
    add(record) {
      if (!isMessageRecord(record)) {
        if (record.kind === 'phase' && record.actor !== undefined && record.phase !== undefined)
          tallies.get(record.actor)?.entered.add(record.phase);
        return;
      }
      const tally = tallyOf(record.actor, record.mode);
      if (record.origin === 'agent') tally.reached = true;
      else tally.served += 1;
      if (record.phase !== undefined) tally.seen.add(record.phase);
      tally.delivered ||= byProtocol.get(record.protocol)?.delivers(record) ?? record.origin === 'agent';
    },
    facts: () => Object.fromEntries([...tallies].map(([actor, tally]) => [actor, toFacts(tally)])),
    isReached: (protocol, actor) =>
      actor === undefined
        ? [...tallies.values()].some(({ mode, reached }) => reached && extractProtocol(mode) === protocol)
        : (tallies.get(actor)?.reached ?? false),
  };
}

function toFacts({ mode, reached, delivered, served, entered, seen }: Tally): ActorDelivery {
  return {
    mode,
    reached,
    delivered,
    served,
    // A phase that the agent saw was entered, whether or not the records say so.
    phasesEntered: [...new Set([...entered, ...seen])],
    phasesSeen: [...seen],
  };
}

/** What people read and exit codes follow. */
export type RunOutcome =
  | { readonly outcome: 'exploited' | 'partial' | 'resisted' }
  | { readonly outcome: 'inconclusive' | 'error'; readonly reason: string };

/** `resisted` means that the attack reached the agent: of every actor, and not only of those that matched. */
export function computeOutcome(
  verdict: AttackVerdict,
  delivery: Delivery,
  views: readonly BindingViews[],
): RunOutcome {
  switch (verdict.result) {
    case 'exploited':
    case 'partial':
      return { outcome: verdict.result };
    case 'error':
      return { outcome: 'error', reason: verdict.message ?? 'the evaluation failed' };
    case 'not_exploited': {
      const undelivered = Object.entries(delivery).find(([, { delivered }]) => !delivered);
      return undelivered === undefined
        ? { outcome: 'resisted' }
        : { outcome: 'inconclusive', reason: whyUndelivered(...undelivered, views) };
    }
  }
}

function whyUndelivered(actor: string, { mode }: ActorDelivery, views: readonly BindingViews[]): string {
  const view = views.find(({ protocol }) => protocol === extractProtocol(mode));
  const role = mode.endsWith('_client') ? 'client' : 'server';
  return `the agent ${view?.undelivered[role] ?? 'never reached'} "${actor}"`;
}
