import type { CommandPeer, McpPeer } from '../../../attack/transport/mcp-client/mcp-client-transport.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { readCommandLine } from '../../../suite/config/command-line.ts';
import { isHttpUrl } from '../../../suite/config/value-patterns.ts';
import { formatCarriedModes, isCarried } from '../../../suite/play/playable-modes.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';
import { type ActorFlag, type ActorValueFinder, readActorFlag } from './actor-flag.ts';

/** The peer of an actor; nothing for an actor that speaks to the agent. */
export type PeerFinder = ActorValueFinder<McpPeer>;

const commandPrefix = 'command:';

const connect: ActorFlag<McpPeer> = {
  name: 'connect',
  does: 'connect',
  kind: 'client',
  example: 'http://127.0.0.1:8000/',
  isMeant: ({ mode }) => isClientMode(mode),
  read(text) {
    if (text.startsWith(commandPrefix)) return readPeerCommand(text.slice(commandPrefix.length));
    if (isHttpUrl(text) || isGrpcUrl(text)) return { url: text };
    return {
      problem: 'this is neither [ACTOR=]URL nor [ACTOR=]command:PROGRAM',
      hint: 'such as http://127.0.0.1:8000/, user=http://127.0.0.1:8000/ or "client=command:node my-server.mjs"',
    };
  },
};

export interface ConnectFlags {
  readonly connect: readonly string[];
  readonly header: readonly string[];
}

/** Reads `--connect` and `--header`. */
export function readConnect(
  flags: ConnectFlags,
  documents: readonly NormalizedDocument[],
  environment: { readonly [name: string]: string | undefined },
): PeerFinder | WrongUsage {
  const targets = readActorFlag(connect, flags.connect, documents);
  if ('message' in targets) return targets;
  const actors = documents.flatMap(({ attack }) => attack.execution.actors).filter(connect.isMeant);
  for (const actor of actors) {
    const target = targets(actor);
    if (isCommand(target) && !isCarried(actor.mode, 'client', 'stdio')) return refuseCommandPeer(actor, flags.connect);
    if (isUrl(target) && isGrpcUrl(target.url) && !isCarried(actor.mode, 'client', 'grpc'))
      return refuseGrpcPeer(actor, target.url);
  }
  const connected = [...new Set(actors.flatMap((actor) => (isUrl(targets(actor)) ? actor.name : [])))];
  const headers = readHeaders(flags.header, connected, environment);
  if ('message' in headers) return headers;
  return (actor) => {
    const target = targets(actor);
    return isUrl(target) ? { ...target, headers: headers(actor.name) } : target;
  };
}

function readPeerCommand(text: string): CommandPeer | { readonly problem: string; readonly hint: string } {
  const read = readCommandLine(text);
  if ('problem' in read) return read;
  const [command, ...args] = read.words;
  return { command, args, env: read.env };
}

function refuseCommandPeer({ name, mode }: NormalizedActor, typed: readonly string[]): WrongUsage {
  const text = typed.find((each) => each.includes(commandPrefix)) ?? commandPrefix;
  return refuseFlag(
    'connect',
    text,
    `the actor "${name}" speaks to a URL, its mode is ${mode}`,
    `only ${formatCarriedModes('client', 'stdio')} actors speak to a program over its standard streams`,
  );
}

function refuseGrpcPeer({ name, mode }: NormalizedActor, url: string): WrongUsage {
  return refuseFlag(
    'connect',
    url,
    `the actor "${name}" does not speak gRPC, its mode is ${mode}`,
    `only ${formatCarriedModes('client', 'grpc')} actors do; give an http or https address`,
  );
}

/** `grpcs:` is gRPC over TLS. */
function isGrpcUrl(text: string): boolean {
  return /^grpcs?:\/\/[^\s/?#]+\/?$/i.test(text);
}

function isCommand(target: McpPeer | undefined): boolean {
  return target !== undefined && 'command' in target;
}

function isUrl(target: McpPeer | undefined): target is Extract<McpPeer, { url: string }> {
  return target !== undefined && 'url' in target;
}

export interface ConnectionHeaders {
  readonly [name: string]: string;
}

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
    const meant = given.filter((header) => header.actor === undefined || header.actor === actor);
    const own = Object.fromEntries(meant.map(({ name, value }) => [name, value]));
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
