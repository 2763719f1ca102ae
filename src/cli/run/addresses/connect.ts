import type { CommandPeer, McpPeer } from '../../../attack/transport/mcp-client/mcp-client-transport.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { readCommandLine } from '../../../suite/config/command-line.ts';
import { isHttpUrl } from '../../../suite/config/value-patterns.ts';
import { formatCarriedModes, isCarried } from '../../../suite/play/playable-modes.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';
import { type ActorFlag, type ActorValueFinder, readActorFlag } from './actor-flag.ts';
import { readHeaders } from './connection-headers.ts';

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
      hint: 'such as http://127.0.0.1:8000/, user=http://127.0.0.1:8000/ or "client=command:npx my-server"',
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
