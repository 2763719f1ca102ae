import { isLoopback } from '../../../format/model/loopback.ts';
import type { NormalizedDocument } from '../../../format/model/normalized.ts';
import { canListen } from '../../../suite/play/playable-modes.ts';
import type { WrongUsage } from '../settings/wrong-usage.ts';
import { type ActorFlag, type ActorValueFinder, readActorFlag } from './actor-flag.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The address that an actor listens on; nothing for an actor that takes any free port. */
export type AddressFinder = ActorValueFinder<Address>;

const listen: Omit<ActorFlag<Address>, 'read'> = {
  name: 'listen',
  does: 'listen',
  kind: 'server',
  example: '127.0.0.1:8080',
  isMeant: canListen,
  suitsAll: ({ port }) => port === 0,
};

/** Reads `--listen`. `isExposed` allows addresses beyond this machine. */
export function readListen(
  typed: readonly string[],
  documents: readonly NormalizedDocument[],
  isExposed: boolean,
): AddressFinder | WrongUsage {
  return readActorFlag({ ...listen, read: (text) => readAddress(text, isExposed) }, typed, documents);
}

function readAddress(text: string, isExposed: boolean): ReturnType<ActorFlag<Address>['read']> {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535)
    return {
      problem: 'this is not [ACTOR=]HOST:PORT',
      hint: 'such as 127.0.0.1:8080, [::1]:8080 or shop=localhost:8080; port 0 takes a free one',
    };
  if (!isExposed && !isLoopback(host))
    return {
      problem: `"${host}" is not a loopback address, and attacks are served to this machine only`,
      hint: 'listen on 127.0.0.1, localhost or [::1]; --expose lets other machines in, by a secret path',
    };
  return { host, port };
}
