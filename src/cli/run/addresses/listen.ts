import type { PlayableMode } from '../../../attack/engine/run-document.ts';
import type { Exposure } from '../../../attack/transport/exposure/exposure.ts';
import { isLoopback } from '../../../format/model/loopback.ts';
import type { NormalizedDocument } from '../../../format/model/normalized.ts';
import { canListen, createServerModes, type ServerPlaces } from '../../../suite/play/playable-modes.ts';
import type { A2aSettings } from '../settings/read-settings.ts';
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

const failures: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be listened on by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

/** The reason why an address cannot be listened on, for a message that names it. Nothing for any other error. */
export function describeListenFailure(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && Object.hasOwn(failures, code) ? failures[code] : undefined;
}

export const anyFreePort: Address = { host: '127.0.0.1', port: 0 };

/** The playable modes, with servers at the addresses that the user gave. */
export function createPlayableModes(
  addresses: AddressFinder,
  settings?: A2aSettings,
  exposure?: Exposure,
  era?: ServerPlaces['era'],
): readonly PlayableMode[] {
  const findActorAddress: (actor: Parameters<PlayableMode['transport']>[0]) => Address = (actor) =>
    addresses(actor) ?? anyFreePort;
  return createServerModes({ address: findActorAddress, exposure, a2a: settings, era }).map((mode) => ({
    ...mode,
    explainFailure(actor, thrown) {
      const { host, port } = findActorAddress(actor);
      const reason = describeListenFailure(thrown);
      return reason === undefined ? undefined : `${host}:${port} ${reason}`;
    },
  }));
}
