import type { Protocol } from '../../format/model/enumeration-types.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';

/** Records whether any message came from the agent, by protocol and by actor. */
export interface Reach {
  add(record: MessageRecord): void;
  /** Whether one came to this actor, or over this protocol if no actor is given. */
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
