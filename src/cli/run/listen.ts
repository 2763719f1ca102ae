import { isIPv4, isIPv6 } from 'node:net';
import type { NormalizedActor, NormalizedDocument } from '../../model/normalized.ts';
import { nearest } from '../../registry/suggestions.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface WrongUsage {
  readonly message: string;
  readonly hint: string;
}

/** Where an actor of a document listens; nothing for one that may take what is free. */
export type Addresses = (document: NormalizedDocument, actor: NormalizedActor) => Address | undefined;

interface Listen extends Address {
  readonly typed: string;
  readonly actor: string | undefined;
}

/** What `--listen` was given, held against the actors that there are. `listens` says of a mode that it does. */
export function readListen(
  typed: readonly string[],
  documents: readonly NormalizedDocument[],
  listens: (mode: string) => boolean,
): Addresses | WrongUsage {
  const given: Listen[] = [];
  for (const text of typed) {
    const listen = parseListen(text);
    if ('message' in listen) return listen;
    if (given.some(({ actor }) => actor === listen.actor))
      return wrong(
        text,
        listen.actor === undefined ? 'an address without an actor was given already' : 'was given already',
        'an actor listens in one place; name the actors, as in --listen shop=127.0.0.1:8080',
      );
    given.push(listen);
  }
  const servers = (document: NormalizedDocument): readonly NormalizedActor[] =>
    document.attack.execution.actors.filter(({ mode }) => listens(mode));
  for (const listen of given) {
    const problem = problemOf(listen, documents, servers);
    if (problem !== undefined) return problem;
  }
  return (_, { name }) =>
    given.find(({ actor }) => actor === name) ?? given.find(({ actor }) => actor === undefined);
}

function problemOf(
  { typed, actor }: Listen,
  documents: readonly NormalizedDocument[],
  servers: (document: NormalizedDocument) => readonly NormalizedActor[],
): WrongUsage | undefined {
  const candidates = documents.flatMap((document) => servers(document).map(({ name }) => name));
  const all = documents.flatMap(({ attack }) => attack.execution.actors);
  if (candidates.length === 0)
    return wrong(typed, 'no actor of these documents listens', 'only server actors listen; leave it out');
  if (actor === undefined) {
    const crowded = documents.find((document) => servers(document).length > 1);
    if (crowded === undefined) return undefined;
    const names = servers(crowded).map(({ name }) => name);
    return wrong(
      typed,
      `${names.length} actors could be meant: ${names.join(', ')}`,
      `name one, as in --listen ${names[0]}=${typed}`,
    );
  }
  if (candidates.includes(actor)) return undefined;
  const known = all.find(({ name }) => name === actor);
  const meant = nearest(actor, candidates) ?? candidates[0];
  return wrong(
    typed,
    known === undefined
      ? `no actor is named "${actor}"`
      : `the actor "${actor}" does not listen, its mode is ${known.mode}`,
    known === undefined
      ? `did you mean ${meant}?`
      : `server actors here: ${[...new Set(candidates)].join(', ')}`,
  );
}

function parseListen(typed: string): Listen | WrongUsage {
  const [, actor, bracketed, plain, digits = ''] =
    /^(?:([^=]+)=)?(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(typed) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535)
    return wrong(
      typed,
      'this is not [ACTOR=]HOST:PORT',
      'such as 127.0.0.1:8080, [::1]:8080 or shop=localhost:8080; port 0 takes a free one',
    );
  if (!isLoopback(host))
    return wrong(
      typed,
      `"${host}" is not a loopback address, and attacks are served to this machine only`,
      'listen on 127.0.0.1, localhost or [::1]',
    );
  return { typed, actor, host, port };
}

function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.');
  return isIPv6(host) ? /^(?:0*:)+0*1$/.test(host) : host.toLowerCase() === 'localhost';
}

function wrong(typed: string, problem: string, hint: string): WrongUsage {
  return { message: `--listen ${typed}: ${problem}`, hint };
}
