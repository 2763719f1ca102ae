import { isNameCovered } from '../../../attack/transport/exposure/check-tls.ts';
import type { Exposure } from '../../../attack/transport/exposure/exposure.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { NormalizedDocument } from '../../../format/model/normalized.ts';
import { pad } from '../../../report/text-width.ts';
import type { Sink } from '../../io.ts';
import type { ResolvedSettings } from '../settings/read-settings.ts';
import { listExposedActors } from './expose.ts';
import { anyFreePort } from './served-modes.ts';

type Settings = Pick<ResolvedSettings, 'addresses' | 'stdio'>;

/** Says what others can reach, for how long, and what keeps them out. It is shown before anything can be reached. */
export function formatExposeNotice(
  documents: readonly NormalizedDocument[],
  meant: Settings,
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
  meant: Settings,
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
