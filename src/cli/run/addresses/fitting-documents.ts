import type { AgentUnderTest } from '../../../agents/adapters/agent-under-test.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { getOwnValue } from '../../../format/model/value.ts';
import { count } from '../../../report/count-text.ts';
import type { Config } from '../../../suite/config/config.ts';
import type { PlayableDocument } from '../../../suite/plan/plan.ts';
import { canListen } from '../../../suite/play/playable-modes.ts';
import { splitActorValue } from './actor-flag.ts';

/** A document that is not played, and its servers that have no address. */
export interface LeftOutDocument {
  readonly playable: PlayableDocument;
  readonly servers: readonly string[];
}

export interface FittingSelection {
  readonly playables: readonly PlayableDocument[];
  readonly leftOut: readonly LeftOutDocument[];
}

interface TypedListenFlags {
  /** The values of `--listen`. */
  readonly typed: readonly string[];
  readonly listen: Config['listen'] | undefined;
  readonly agents: readonly Pick<AgentUnderTest, 'isTold'>[];
  /** Ids and files that the user named one by one. */
  readonly named?: readonly string[];
}

/**
 * An agent that is already running knows only the addresses it was configured with, so it gets the documents whose
 * servers all have one. A document that the user named is never left out. If it does not fit, if no address is fixed,
 * or if no document fits, the usual error is reported.
 */
export function selectFittingDocuments(
  playables: readonly PlayableDocument[],
  given: TypedListenFlags,
): FittingSelection {
  const whole = { playables, leftOut: [] };
  if (given.agents.every(({ isTold }) => isTold)) return whole;
  const findAddress = createAddressFinder(given);
  if (![...given.typed, ...Object.values(given.listen ?? {})].some(isFixed)) return whole;
  const named = new Set(given.named);
  const leftOut = playables.flatMap((playable): readonly LeftOutDocument[] => {
    if (named.has(playable.file) || named.has(playable.document.attack.id ?? '')) return [];
    const servers = listUnplacedServers(playable, findAddress);
    return servers.length === 0 ? [] : [{ playable, servers }];
  });
  const isLeft = new Set(leftOut.map(({ playable }) => playable));
  const fitting = playables.filter((playable) => !isLeft.has(playable));
  return fitting.length === 0 ? whole : { playables: fitting, leftOut };
}

type FixedAddressFinder = (actor: string) => string | undefined;

/** A flag for an actor wins over a flag for any actor, and both win over the file. */
function createAddressFinder({ typed, listen = {} }: TypedListenFlags): FixedAddressFinder {
  const flags = new Map(
    typed.map((text) => {
      const { actor = '*', value } = splitActorValue(text);
      return [actor, value] as const;
    }),
  );
  return (actor) => {
    const place = flags.get(actor) ?? flags.get('*') ?? getOwnValue(listen, actor) ?? getOwnValue(listen, '*');
    return place !== undefined && isFixed(place) ? place : undefined;
  };
}

function isFixed(place: string): boolean {
  return !/:0+$/.test(place);
}

/** One address serves one server. */
function listUnplacedServers({ document }: PlayableDocument, findAddress: FixedAddressFinder): readonly string[] {
  const taken = new Set<string>();
  return document.attack.execution.actors.filter(canListen).flatMap(({ name }) => {
    const place = findAddress(name);
    if (place === undefined || taken.has(place)) return [name];
    taken.add(place);
    return [];
  });
}

const mostNamed = 8;

/** Says what is left out, and what would include it. */
export function formatLeftOutNotice(leftOut: readonly LeftOutDocument[], all: number): string {
  const named = leftOut.slice(0, mostNamed).map(({ playable: { document, file }, servers }) => {
    const { id } = document.attack;
    return `${escapeInvisible(id ?? file)} (${servers.map((server) => escapeInvisible(server)).join(', ')})`;
  });
  const more = leftOut.length > mostNamed ? ` and ${leftOut.length - mostNamed} more` : '';
  return (
    `oatf: note: ${leftOut.length} of ${count(all, 'document', 'documents')} ${leftOut.length === 1 ? 'is' : 'are'} left out: an agent that is already running does not know where these servers listen: ${named.join('; ')}${more}\n` +
    'oatf: hint: --listen ACTOR=HOST:PORT gives a server an address; configure the agent with it\n'
  );
}
