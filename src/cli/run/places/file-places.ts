import { fillText, UnfilledPlaceholder } from '../../../agent/placeholders.ts';
import type { Config, UrlPlace } from '../../../config/config.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../model/normalized.ts';
import { ownValue } from '../../../model/value.ts';
import { isClientMode } from '../../../registry/modes.ts';
import { isCarried, listens } from '../../../suite/modes.ts';
import type { Io } from '../../io.ts';
import type { WrongUsage } from '../settings/wrong-usage.ts';

/** The values of the flags that place actors. */
export interface Places {
  readonly listen: readonly string[];
  readonly connect: readonly string[];
  readonly header: readonly string[];
}

export interface FilePlaces {
  readonly config: Config;
  /** The configuration file, as the user would type it. */
  readonly file: string;
  readonly environment: Io['environment'];
  /** Whether a run is resumed: its places are already settled, and the file adds only headers. */
  readonly isResumed: boolean;
}

/**
 * Adds the file's places to those of the flags, in the same form. A file serves many documents, so entries for actors
 * that these documents do not have are ignored.
 */
export function withFilePlaces(
  typed: Places,
  documents: readonly NormalizedDocument[],
  { config, file, environment, isResumed }: FilePlaces,
): Places | WrongUsage {
  const { listen = {}, connect = {} } = config;
  const listening = isResumed ? [] : entriesFor(listen, typed.listen, documents, listens);
  const crowded = crowdedBy(listening, documents);
  if (crowded !== undefined)
    return {
      message: `${file}: listen: * is one address, but ${crowded.length} actors listen: ${crowded.join(', ')}`,
      hint: 'give each its own address, or use port 0, which takes a free port',
    };
  const connecting = entriesFor<string | UrlPlace>(connect, typed.connect, documents, ({ mode }, entry) => {
    const isCommand = typeof entry === 'string' && entry.startsWith('command:');
    return isClientMode(mode) && (!isCommand || isCarried(mode, 'client', 'stdio'));
  });
  const header = [...typed.header];
  for (const { actor, entry } of isResumed ? settled(connect, typed, documents) : connecting) {
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
      ...(isResumed ? [] : connecting.map(({ actor, entry }) => `${actor}=${urlOf(entry)}`)),
    ],
    header,
  };
}

interface Entry<T> {
  readonly actor: string;
  readonly entry: T;
  /** Whether the entry is for any actor. */
  readonly isAny: boolean;
}

/** The file's entries for actors that no flag names. */
function entriesFor<T>(
  entries: { readonly [actor: string]: T },
  typed: readonly string[],
  documents: readonly NormalizedDocument[],
  isMeant: (actor: NormalizedActor, entry: T) => boolean,
): readonly Entry<T>[] {
  const named = typed.map(actorIn);
  // A flag without a name applies to every actor.
  if (named.includes(undefined)) return [];
  const found = new Map<string, Entry<T>>();
  for (const actor of documents.flatMap(({ attack }) => attack.execution.actors)) {
    const own = ownValue(entries, actor.name);
    const entry = own ?? ownValue(entries, '*');
    if (entry !== undefined && !named.includes(actor.name) && isMeant(actor, entry))
      found.set(actor.name, { actor: actor.name, entry, isAny: own === undefined });
  }
  return [...found.values()];
}

/** Headers are sent only to the address that the file gives them for, even if a resumed run stored another. */
function settled(
  connect: NonNullable<Config['connect']>,
  typed: Places,
  documents: readonly NormalizedDocument[],
): readonly Entry<string | UrlPlace>[] {
  const actors = documents.flatMap(({ attack }) => attack.execution.actors.map(({ name }) => name));
  return [...new Set(actors)].flatMap((actor) => {
    const entry = ownValue(connect, actor) ?? ownValue(connect, '*');
    const isTheirs = entry !== undefined && typed.connect.includes(`${actor}=${urlOf(entry)}`);
    return isTheirs ? [{ actor, entry, isAny: false }] : [];
  });
}

/** The actors of one document that would listen at the same address. */
function crowdedBy(
  listening: readonly Entry<string>[],
  documents: readonly NormalizedDocument[],
): readonly string[] | undefined {
  const any = new Set(
    listening.flatMap(({ actor, entry, isAny }) => (isAny && !entry.endsWith(':0') ? actor : [])),
  );
  return documents
    .map(({ attack }) => attack.execution.actors.filter(({ name }) => any.has(name)).map(({ name }) => name))
    .find((names) => names.length > 1);
}

function actorIn(typed: string): string | undefined {
  return /^([A-Za-z0-9_-]+)=/.exec(typed)?.[1];
}

function urlOf(entry: string | UrlPlace): string {
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
