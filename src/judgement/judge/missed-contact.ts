import { isClientMode } from '../../format/registry/known-modes.ts';
import type { ActorContact, DeliveryFacts } from './delivery-facts.ts';

// An agent that misses a server of the document has often been given a wrong address. The run then says where its requests
// came, or the address that it did not contact.

/** Says how the agent missed a server of the document; undefined if it reached all of them. */
export function describeMissedContact({ actors, contacts, end }: DeliveryFacts): string | undefined {
  const missed = Object.entries(actors).filter(
    ([name, { mode, phases }]) => phases.length > 0 && !isClientMode(mode) && contacts.get(name)?.isHeard === false,
  );
  for (const [name] of missed) {
    const refused = describeRefusals(name, contacts.get(name)?.refusals);
    if (refused !== undefined) return refused;
  }
  for (const [name, { reached }] of missed) {
    const address = end?.addresses?.[name];
    if (!reached && address !== undefined) return `nothing came to "${name}" at ${address}`;
  }
  return undefined;
}

/** Another path than that of the endpoint, as transports word it. */
const otherPath = /^\S+ (\S+): (the endpoint is \S+) \(404\)$/;

function describeRefusals(actor: string, refusals: ActorContact['refusals'] = new Map()): string | undefined {
  const [most] = [...refusals].sort(([, a], [, b]) => b - a);
  if (most === undefined) return undefined;
  const [reason, times] = most;
  const requests = times === 1 ? '1 request' : `${times} requests`;
  const [, path, endpoint] = otherPath.exec(reason) ?? [];
  return path === undefined
    ? `${requests} to "${actor}" ${times === 1 ? 'was' : 'were'} refused: ${reason}`
    : `${requests} to "${actor}" came to ${path}; ${endpoint}`;
}
