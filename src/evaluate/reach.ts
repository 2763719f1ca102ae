import type { Protocol } from '../model/enumerations.ts';
import type { MessageRecord } from '../model/trace.ts';

/** Whether anything came from the agent, by protocol and by actor. */
export interface Reach {
  add(record: MessageRecord): void;
  /** On this protocol, or on this actor's connection. */
  isReached(protocol: Protocol, actor: string | undefined): boolean;
}

export function trackReach(): Reach {
  const protocols = new Set<Protocol>();
  const actors = new Set<string>();
  return {
    add({ origin, protocol, actor, refused }) {
      if (origin !== 'agent' || refused !== undefined) return;
      protocols.add(protocol);
      actors.add(actor);
    },
    isReached: (protocol, actor) => (actor === undefined ? protocols.has(protocol) : actors.has(actor)),
  };
}
