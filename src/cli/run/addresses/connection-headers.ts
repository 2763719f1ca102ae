import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';

export interface ConnectionHeaders {
  readonly [name: string]: string;
}

/** The headers that are sent to the peer of an actor. */
export type HeaderFinder = (actor: string) => ConnectionHeaders;

interface GivenHeader {
  readonly actor: string | undefined;
  readonly name: string;
  readonly value: string;
}

type Environment = { readonly [name: string]: string | undefined };

const shape = /^(?:([A-Za-z0-9_-]+)=)?([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t\x80-\xff]*)$/;

/** Reads `--header` and the tokens in the environment. `connected`: the actors that headers can be for. */
export function readHeaders(
  typed: readonly string[],
  connected: readonly (string | undefined)[],
  environment: Environment,
): HeaderFinder | WrongUsage {
  const given: GivenHeader[] = [];
  for (const text of typed) {
    const [, actor, name, value] = shape.exec(text) ?? [];
    // The value may be a secret, so it is not repeated.
    const shown = text.split(':', 1)[0] ?? '';
    if (name === undefined || value === undefined)
      return refuseFlag(
        'header',
        shown,
        'this is not [ACTOR=]NAME:VALUE',
        'such as "X-Api-Key: 123" or "client=X-Api-Key: 123"',
      );
    const problem = refuseHeaderOwner(actor, connected);
    if (problem !== undefined) return refuseFlag('header', shown, ...problem);
    given.push({ actor, name: name.toLowerCase(), value: value.trim() });
  }
  return (actor) => {
    const said = given.filter((header) => header.actor === undefined || header.actor === actor);
    const own = Object.fromEntries(said.map(({ name, value }) => [name, value]));
    const token = environment[formatBearerVariable(actor)] ?? environment.OATF_BEARER ?? '';
    return token === '' ? own : { authorization: `Bearer ${token}`, ...own };
  };
}

function refuseHeaderOwner(
  actor: string | undefined,
  connected: readonly (string | undefined)[],
): readonly [string, string] | undefined {
  if (connected.length === 0) return ['no actor is connected to a URL', 'headers go with --connect [ACTOR=]URL'];
  // Otherwise a token for one server could be sent to another by mistake.
  if (actor === undefined)
    return connected.length === 1
      ? undefined
      : ['several actors are connected', `name one, as in --header ${connected[0] ?? 'ACTOR'}=NAME:VALUE`];
  const isKnown = connected.includes(actor) || connected.includes(undefined);
  return isKnown ? undefined : [`no --connect names "${actor}"`, `connected: ${connected.join(', ')}`];
}

function formatBearerVariable(actor: string): string {
  return `OATF_BEARER_${actor.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}
