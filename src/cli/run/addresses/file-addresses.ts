import { fillText, UnfilledPlaceholder } from '../../../agents/adapters/placeholders.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import { getOwnValue } from '../../../format/model/value.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import type { Config, UrlPlace } from '../../../suite/config/config.ts';
import { canListen, isCarried } from '../../../suite/play/playable-modes.ts';
import type { Io } from '../../io.ts';
import type { WrongUsage } from '../settings/wrong-usage.ts';
import { splitActorValue } from './actor-flag.ts';
import type { ConnectFlags } from './connect.ts';

/** The values of the flags that give actors addresses. */
export interface TypedAddresses extends ConnectFlags {
  readonly listen: readonly string[];
}

export interface FileAddressContext {
  readonly config: Config;
  /** The configuration file, as the user would type it. */
  readonly file: string;
  readonly environment: Io['environment'];
  /** Whether a run is resumed: its addresses are already decided, and the file adds only headers. */
  readonly isResumed: boolean;
}

/**
 * Adds the file's addresses to those of the flags, in the same form. A file serves many documents, so entries for
 * actors that these documents do not have are ignored.
 */
export function addFileAddresses(
  typed: TypedAddresses,
  documents: readonly NormalizedDocument[],
  { config, file, environment, isResumed }: FileAddressContext,
): TypedAddresses | WrongUsage {
  const { listen = {}, connect = {} } = config;
  const listening = isResumed ? [] : selectFileEntries(listen, typed.listen, documents, canListen);
  const crowded = findCrowdedActors(listening, documents);
  if (crowded !== undefined)
    return {
      message: `${file}: listen: * is one address, but ${crowded.length} actors listen: ${crowded.join(', ')}`,
      hint: 'give each its own address, or use port 0, which takes a free port',
    };
  const connecting = selectFileEntries<string | UrlPlace>(connect, typed.connect, documents, ({ mode }, entry) => {
    const isCommand = typeof entry === 'string' && entry.startsWith('command:');
    return isClientMode(mode) && (!isCommand || isCarried(mode, 'client', 'stdio'));
  });
  const header = [...typed.header];
  for (const { actor, entry } of isResumed ? decideConnections(connect, typed, documents) : connecting) {
    if (typeof entry === 'string') continue;
    for (const [name, value] of Object.entries(entry.headers ?? {})) {
      const filled = fillHeader(value, environment);
      if (filled === undefined)
        return {
          message: `${file}: connect.${actor}.headers.${name}: a placeholder in it stands for nothing`,
          hint: 'only {{env.NAME}} can stand there; is the variable set?',
        };
      header.push(`${actor}=${name}: ${filled}`);
    }
  }
  return {
    listen: [...typed.listen, ...listening.map(({ actor, entry }) => `${actor}=${entry}`)],
    connect: [
      ...typed.connect,
      ...(isResumed ? [] : connecting.map(({ actor, entry }) => `${actor}=${readPeerUrl(entry)}`)),
    ],
    header,
  };
}

interface FileEntry<T> {
  readonly actor: string;
  readonly entry: T;
  /** Whether the entry is for any actor. */
  readonly isAny: boolean;
}

/** The file's entries for actors that no flag names. */
function selectFileEntries<T>(
  entries: { readonly [actor: string]: T },
  typed: readonly string[],
  documents: readonly NormalizedDocument[],
  isMeant: (actor: NormalizedActor, entry: T) => boolean,
): readonly FileEntry<T>[] {
  const named = typed.map((text) => splitActorValue(text).actor);
  // A flag without a name applies to every actor.
  if (named.includes(undefined)) return [];
  const found = new Map<string, FileEntry<T>>();
  for (const actor of documents.flatMap(({ attack }) => attack.execution.actors)) {
    const own = getOwnValue(entries, actor.name);
    const entry = own ?? getOwnValue(entries, '*');
    if (entry !== undefined && !named.includes(actor.name) && isMeant(actor, entry))
      found.set(actor.name, { actor: actor.name, entry, isAny: own === undefined });
  }
  return [...found.values()];
}

/** Headers are sent only to the address that the file gives them for, even if a resumed run stored another. */
function decideConnections(
  connect: NonNullable<Config['connect']>,
  typed: TypedAddresses,
  documents: readonly NormalizedDocument[],
): readonly FileEntry<string | UrlPlace>[] {
  const actors = documents.flatMap(({ attack }) => attack.execution.actors.map(({ name }) => name));
  return [...new Set(actors)].flatMap((actor) => {
    const entry = getOwnValue(connect, actor) ?? getOwnValue(connect, '*');
    const isTheirs = entry !== undefined && typed.connect.includes(`${actor}=${readPeerUrl(entry)}`);
    return isTheirs ? [{ actor, entry, isAny: false }] : [];
  });
}

/** The actors of one document that would listen at the same address. */
function findCrowdedActors(
  listening: readonly FileEntry<string>[],
  documents: readonly NormalizedDocument[],
): readonly string[] | undefined {
  const any = new Set(listening.flatMap(({ actor, entry, isAny }) => (isAny && !entry.endsWith(':0') ? actor : [])));
  return documents
    .map(({ attack }) => attack.execution.actors.filter(({ name }) => any.has(name)).map(({ name }) => name))
    .find((names) => names.length > 1);
}

function readPeerUrl(entry: string | UrlPlace): string {
  return typeof entry === 'string' ? entry : entry.url;
}

function fillHeader(value: string, environment: Io['environment']): string | undefined {
  try {
    return fillText(value, (name) => {
      const [, variable] = /^env\.(\w+)$/.exec(name) ?? [];
      return variable === undefined ? undefined : environment[variable];
    });
  } catch (thrown) {
    if (thrown instanceof UnfilledPlaceholder) return undefined;
    throw thrown;
  }
}
