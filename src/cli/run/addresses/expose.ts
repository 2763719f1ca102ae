import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { checkTls, isNameCovered } from '../../../attack/transport/exposure/check-tls.ts';
import {
  createSecret,
  type Exposure,
  explainBadSecret,
  type TlsPair,
} from '../../../attack/transport/exposure/exposure.ts';
import { describeFileFailure } from '../../../files/file-failure.ts';
import { readRegular } from '../../../files/regular-file.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import { pad } from '../../../report/text-width.ts';
import { canListen } from '../../../suite/play/playable-modes.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import type { Arguments } from '../../commands.ts';
import { complain, type Io, type Sink } from '../../io.ts';
import type { ResolvedSettings } from '../settings/read-settings.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';
import { anyFreePort } from './listen.ts';

const secretVariable = 'OATF_EXPOSE_SECRET';

type Flags = Pick<Arguments<'run'>, 'expose' | 'hostName' | 'tlsCert' | 'tlsKey'>;
type Settings = Pick<ResolvedSettings, 'agents' | 'addresses' | 'stdio'>;

/** Reads `--expose`; nothing if the flag was not given. */
export async function readExpose(
  flags: Flags,
  meant: Settings,
  documents: readonly NormalizedDocument[],
  io: Io,
): Promise<Exposure | CommandOutcome | undefined> {
  const wrong = ({ message, hint }: WrongUsage): Promise<CommandOutcome> =>
    complain(io, 'usage', `run: ${message}`, hint);
  const useless = refuseUselessFlags(flags);
  if (useless !== undefined) return wrong(useless);
  if (!flags.expose) return undefined;
  const given = io.environment[secretVariable] ?? '';
  const problem =
    refuseWithoutListener(meant, documents) ??
    findWrongHostName(flags.hostName) ??
    needsName(flags, meant, documents) ??
    findSecretProblem(given) ??
    (given === '' ? findUninformedAgent(meant) : undefined);
  if (problem !== undefined) return wrong(problem);
  const tls = await readTls(flags, io);
  if (tls !== undefined && 'exit' in tls) return tls;
  return {
    secret: given === '' ? createSecret() : given,
    hostNames: flags.hostName.map(unbracketHost),
    ...(tls !== undefined && { tls }),
  };
}

/** The actors that can be reached. An actor on standard input and output cannot. */
function listExposedActors(
  documents: readonly NormalizedDocument[],
  { stdio }: Pick<Settings, 'stdio'>,
): readonly NormalizedActor[] {
  return documents
    .flatMap(({ attack }) => attack.execution.actors)
    .filter((actor) => canListen(actor) && actor.name !== stdio?.actor);
}

function refuseUselessFlags({ expose, hostName, tlsCert, tlsKey }: Flags): WrongUsage | undefined {
  const given = { 'host-name': hostName[0], 'tls-cert': tlsCert, 'tls-key': tlsKey };
  const [flag, typed] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined || typed === undefined) return undefined;
  if (!expose)
    return refuseFlag(
      flag,
      typed,
      'nothing is reached from elsewhere without --expose',
      'add --expose, which lets others in and gives every endpoint a secret path',
    );
  if ((tlsCert === undefined) === (tlsKey === undefined)) return undefined;
  const missing = tlsCert === undefined ? 'tls-cert' : 'tls-key';
  return {
    message: `--${missing}: TLS needs a certificate and its key`,
    hint: 'give both, --tls-cert FILE --tls-key FILE',
  };
}

function refuseWithoutListener(meant: Settings, documents: readonly NormalizedDocument[]): WrongUsage | undefined {
  if (listExposedActors(documents, meant).length > 0) return undefined;
  return {
    message: '--expose: no actor of these documents listens',
    hint: 'only server actors can be reached; leave it out',
  };
}

function findWrongHostName(names: readonly string[]): WrongUsage | undefined {
  const typed = names.find((name) => isIP(unbracketHost(name)) === 0 && !hostShape.test(name));
  if (typed === undefined) return undefined;
  return refuseFlag(
    'host-name',
    typed,
    'this is not a host name',
    'such as host.docker.internal, agents.example.com or 192.168.1.4, without scheme, port and path',
  );
}

const hostShape = /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_-]+)*$/;

/** A URL writes an IPv6 address in brackets, so users may too. */
function unbracketHost(name: string): string {
  return name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

const everyAddress: readonly string[] = ['0.0.0.0', '::'];

/** A wildcard address cannot be given to an agent, so a host name is needed. */
function needsName(
  { hostName }: Flags,
  meant: Settings,
  documents: readonly NormalizedDocument[],
): WrongUsage | undefined {
  if (hostName.length > 0) return undefined;
  const wide = listExposedActors(documents, meant)
    .map((actor) => meant.addresses(actor))
    .find((address) => address !== undefined && everyAddress.includes(address.host));
  if (wide === undefined) return undefined;
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `--host-name ${address}`);
  const examples = ['--host-name host.docker.internal from a container', ...own.slice(0, 3)];
  return {
    message: `--expose: ${wide.host} is every address of this machine, and agents need one name to reach it`,
    hint: `say which, such as ${examples.join(', ')}`,
  };
}

function findSecretProblem(given: string): WrongUsage | undefined {
  const problem = given === '' ? undefined : explainBadSecret(given);
  if (problem === undefined) return undefined;
  return {
    message: `${secretVariable} ${problem}`,
    hint: 'openssl rand -hex 24 prints a valid one; without it, each call generates its own',
  };
}

function findUninformedAgent({ agents }: Settings): WrongUsage | undefined {
  const remote = agents.find(({ isTold }) => !isTold);
  if (remote === undefined) return undefined;
  return {
    message: `--agent ${remote.name}: it is already running and cannot learn a secret that is generated now`,
    hint: `set ${secretVariable} in the environment, which keeps addresses the same, and configure the agent with it`,
  };
}

async function readTls({ tlsCert, tlsKey }: Flags, io: Io): Promise<TlsPair | CommandOutcome | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const typed = { cert: tlsCert, key: tlsKey };
  const read: { cert?: string; key?: string } = {};
  for (const part of ['cert', 'key'] as const)
    try {
      read[part] = readRegular(resolve(io.cwd, typed[part]));
    } catch (thrown) {
      return complain(
        io,
        'unreadable',
        `run: --tls-${part} ${typed[part]}: ${describeFileFailure(thrown)}`,
        'both are PEM files',
      );
    }
  const pair = { cert: read.cert ?? '', key: read.key ?? '' };
  const found = checkTls(pair, Date.now());
  if (found === undefined) return pair;
  return complain(io, 'invalid', `run: --tls-${found.in} ${typed[found.in]}: ${found.problem}`, found.hint);
}

/** Says what others can reach, for how long, and what keeps them out. It is shown before anything can be reached. */
export function formatExposeNotice(
  documents: readonly NormalizedDocument[],
  meant: Omit<Settings, 'agents'>,
  exposure: Exposure,
  { colours }: Sink,
): string {
  const places = [...groupActorsByAddress(documents, meant)];
  const width = Math.max(...places.map(([place]) => place.length));
  const lines = [
    ...places.map(([place, actors]) => `${pad(escapeInvisible(place), width)}  ${listNames([...actors])}`),
    formatHostNames(exposure),
    'It takes the secret in each address, or the same as a bearer token, which is all that gRPC takes;',
    'any other client gets an empty 404. Ctrl-C ends it, and nothing stays open after this command.',
    formatEncryption(exposure),
  ];
  const first = 'servers that play an attacker can be reached by others, each while its run lasts';
  return `oatf: ${colours.yellow('exposed:')} ${first}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function groupActorsByAddress(
  documents: readonly NormalizedDocument[],
  meant: Omit<Settings, 'agents'>,
): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const actor of listExposedActors(documents, meant)) {
    const { host, port } = meant.addresses(actor) ?? anyFreePort;
    const place = port === 0 ? `${host}, any free port` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
    found.set(place, (found.get(place) ?? new Set()).add(`${actor.name} (${actor.mode})`));
  }
  return found;
}

const mostListed = 8;

function listNames(names: readonly string[]): string {
  const more = names.length - mostListed;
  const shown = names.slice(0, mostListed).map((name) => escapeInvisible(name));
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function formatHostNames({ hostNames = [] }: Exposure): string {
  const [first, ...others] = hostNames;
  if (first === undefined) return 'Agents are told that address; requests for any other host are refused.';
  const also = others.length === 0 ? '' : ` (and may say ${others.join(', ')})`;
  return `Agents are told the name ${first}${also}; requests for any other host are refused.`;
}

function formatEncryption({ tls, hostNames = [] }: Exposure): string {
  if (tls === undefined)
    return 'It is not encrypted: whoever can read the traffic can read the secret; --tls-cert and --tls-key encrypt it.';
  const others = hostNames.filter((name) => !isNameCovered(tls, name));
  return others.length === 0
    ? 'It is encrypted by TLS.'
    : `It is encrypted by TLS, but the certificate is not for ${others.join(', ')}: agents that check that will not connect.`;
}
