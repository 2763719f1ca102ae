import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import { findNearest } from '../../../format/registry/suggestions.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';

/** A flag that sets a value for one actor, as `[ACTOR=]VALUE`. */
export interface ActorFlag<T> {
  readonly name: string;
  /** The verb for actors of this kind in messages, such as `listen`. */
  readonly does: string;
  readonly kind: string;
  /** A value to show in hints. */
  readonly example: string;
  isMeant(actor: NormalizedActor): boolean;
  /** Whether several actors can share the value, so that no name is needed. */
  suitsAll?(value: T): boolean;
  read(value: string): T | { readonly problem: string; readonly hint: string };
}

/** The value that was given for an actor of a document, if any. */
export type ActorValueFinder<T> = (actor: NormalizedActor) => T | undefined;

interface Given<T> {
  readonly typed: string;
  readonly actor: string | undefined;
  readonly value: T;
}

/**
 * Splits `[ACTOR=]VALUE`. An actor's name has none of the punctuation that a URL or an address has before its first
 * equals sign.
 */
export function splitActorValue(text: string): { readonly actor: string | undefined; readonly value: string } {
  const [, actor, value = text] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(text) ?? [];
  return { actor, value };
}

/** Reads the values of a flag and checks them against the actors of the documents. */
export function readActorFlag<T extends object>(
  flag: ActorFlag<T>,
  typed: readonly string[],
  documents: readonly NormalizedDocument[],
): ActorValueFinder<T> | WrongUsage {
  const given: Given<T>[] = [];
  for (const text of typed) {
    const { actor, value: rest } = splitActorValue(text);
    const value = flag.read(rest);
    if ('problem' in value) return refuseFlag(flag.name, text, value.problem, value.hint);
    if (given.some((other) => other.actor === actor))
      return refuseFlag(
        flag.name,
        text,
        actor === undefined ? 'one without an actor was given already' : 'was given already',
        `give it once for each actor, with the name, as in --${flag.name} NAME=${flag.example}`,
      );
    given.push({ typed: text, actor, value });
  }
  for (const one of given) {
    const problem = findActorProblem(flag, one, documents);
    if (problem !== undefined) return problem;
  }
  return ({ name }) =>
    (given.find(({ actor }) => actor === name) ?? given.find(({ actor }) => actor === undefined))?.value;
}

function findActorProblem<T>(
  flag: ActorFlag<T>,
  { typed, actor, value }: Given<T>,
  documents: readonly NormalizedDocument[],
): WrongUsage | undefined {
  const listMeantActors = (document: NormalizedDocument): readonly string[] =>
    document.attack.execution.actors.filter(flag.isMeant).map(({ name }) => name);
  const candidates = [...new Set(documents.flatMap(listMeantActors))];
  if (candidates.length === 0)
    return refuseFlag(
      flag.name,
      typed,
      `no actor of these documents ${flag.does}s`,
      `only ${flag.kind} actors ${flag.does}; leave it out`,
    );
  if (actor === undefined) {
    if (flag.suitsAll?.(value)) return undefined;
    const crowded = documents.map(listMeantActors).find((names) => names.length > 1);
    if (crowded === undefined) return undefined;
    return refuseFlag(
      flag.name,
      typed,
      `${crowded.length} actors could be meant: ${crowded.join(', ')}`,
      `name one, as in --${flag.name} ${crowded[0]}=${typed}`,
    );
  }
  if (candidates.includes(actor)) return undefined;
  const known = documents.flatMap(({ attack }) => attack.execution.actors).find(({ name }) => name === actor);
  return refuseFlag(
    flag.name,
    typed,
    known === undefined
      ? `no actor is named "${actor}"`
      : `the actor "${actor}" does not ${flag.does}, its mode is ${known.mode}`,
    known === undefined
      ? `did you mean ${findNearest(actor, candidates) ?? candidates[0]}?`
      : `${flag.kind} actors here: ${candidates.join(', ')}`,
  );
}
