import { readCommandLine } from '../../../config/command-line.ts';
import { isHttpUrl } from '../../../config/values.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../model/normalized.ts';
import { isClientMode } from '../../../registry/modes.ts';
import { carriedModes, isCarried } from '../../../suite/modes.ts';
import type { CommandPeer, Peer } from '../../../transport/json-rpc-client.ts';
import { type WrongUsage, wrongFlag } from '../settings/wrong-usage.ts';
import { type ActorFlag, readActorFlag, type SaidOf } from './actor-flag.ts';
import { readHeaders } from './headers.ts';

/** The peer of an actor; nothing for an actor that speaks to the agent. */
export type Targets = SaidOf<Peer>;

const commandPrefix = 'command:';

const connect: ActorFlag<Peer> = {
  name: 'connect',
  does: 'connect',
  kind: 'client',
  example: 'http://127.0.0.1:8000/',
  isMeant: ({ mode }) => isClientMode(mode),
  read(text) {
    if (text.startsWith(commandPrefix)) return readCommand(text.slice(commandPrefix.length));
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
): Targets | WrongUsage {
  const targets = readActorFlag(connect, flags.connect, documents);
  if ('message' in targets) return targets;
  const actors = documents.flatMap(({ attack }) => attack.execution.actors).filter(connect.isMeant);
  for (const actor of actors) {
    const target = targets(actor);
    if (isCommand(target) && !isCarried(actor.mode, 'client', 'stdio'))
      return notLaunched(actor, flags.connect);
    if (isUrl(target) && isGrpcUrl(target.url) && !isCarried(actor.mode, 'client', 'grpc'))
      return notOverGrpc(actor, target.url);
  }
  const connected = [...new Set(actors.flatMap((actor) => (isUrl(targets(actor)) ? actor.name : [])))];
  const headers = readHeaders(flags.header, connected, environment);
  if ('message' in headers) return headers;
  return (actor) => {
    const target = targets(actor);
    return isUrl(target) ? { ...target, headers: headers(actor.name) } : target;
  };
}

function readCommand(text: string): CommandPeer | { readonly problem: string; readonly hint: string } {
  const read = readCommandLine(text);
  if ('problem' in read) return read;
  const [command, ...args] = read.words;
  return { command, args, env: read.env };
}

function notLaunched({ name, mode }: NormalizedActor, typed: readonly string[]): WrongUsage {
  const text = typed.find((each) => each.includes(commandPrefix)) ?? commandPrefix;
  return wrongFlag(
    'connect',
    text,
    `the actor "${name}" speaks to a URL, its mode is ${mode}`,
    `only ${carriedModes('client', 'stdio')} actors speak to a program over its standard streams`,
  );
}

function notOverGrpc({ name, mode }: NormalizedActor, url: string): WrongUsage {
  return wrongFlag(
    'connect',
    url,
    `the actor "${name}" does not speak gRPC, its mode is ${mode}`,
    `only ${carriedModes('client', 'grpc')} actors do; give an http or https address`,
  );
}

/** `grpcs:` is gRPC over TLS. */
function isGrpcUrl(text: string): boolean {
  return /^grpcs?:\/\/[^\s/?#]+\/?$/i.test(text);
}

function isCommand(target: Peer | undefined): boolean {
  return target !== undefined && 'command' in target;
}

function isUrl(target: Peer | undefined): target is Extract<Peer, { url: string }> {
  return target !== undefined && 'url' in target;
}
