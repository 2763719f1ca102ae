import type { NormalizedDocument } from '../../../model/normalized.ts';
import { visible } from '../../../report/visible.ts';
import { pad } from '../../../report/width.ts';
import { coversName } from '../../../transport/exposure/check-tls.ts';
import type { Exposure } from '../../../transport/exposure/exposure.ts';
import type { Sink } from '../../io.ts';
import type { Meant } from '../settings/read-settings.ts';
import { exposedActors } from './expose.ts';
import { anyFreePort } from './modes.ts';

type Settings = Pick<Meant, 'addresses' | 'stdio'>;

/** Says what others can reach, for how long, and what keeps them out. It is shown before anything can be reached. */
export function exposeNotice(
  documents: readonly NormalizedDocument[],
  meant: Settings,
  exposure: Exposure,
  { colours }: Sink,
): string {
  const places = [...actorsByPlace(documents, meant)];
  const width = Math.max(...places.map(([place]) => place.length));
  const lines = [
    ...places.map(([place, actors]) => `${pad(visible(place), width)}  ${listed([...actors])}`),
    nameLine(exposure),
    'It takes the secret in each address, or the same as a bearer token, which is all that gRPC takes;',
    'any other client gets an empty 404. Ctrl-C ends it, and nothing stays open after this command.',
    encryptionLine(exposure),
  ];
  const first = 'servers that play an attacker can be reached by others, each while its run lasts';
  return `oatf: ${colours.yellow('exposed:')} ${first}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function actorsByPlace(
  documents: readonly NormalizedDocument[],
  meant: Settings,
): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const actor of exposedActors(documents, meant)) {
    const { host, port } = meant.addresses(actor) ?? anyFreePort;
    const place =
      port === 0 ? `${host}, any free port` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
    found.set(place, (found.get(place) ?? new Set()).add(`${actor.name} (${actor.mode})`));
  }
  return found;
}

const mostListed = 8;

function listed(names: readonly string[]): string {
  const more = names.length - mostListed;
  const shown = names.slice(0, mostListed).map((name) => visible(name));
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function nameLine({ hostNames = [] }: Exposure): string {
  const [first, ...others] = hostNames;
  if (first === undefined) return 'Agents are told that address; requests for any other host are refused.';
  const also = others.length === 0 ? '' : ` (and may say ${others.join(', ')})`;
  return `Agents are told the name ${first}${also}; requests for any other host are refused.`;
}

function encryptionLine({ tls, hostNames = [] }: Exposure): string {
  if (tls === undefined)
    return 'It is not encrypted: whoever can read the traffic can read the secret; --tls-cert and --tls-key encrypt it.';
  const others = hostNames.filter((name) => !coversName(tls, name));
  return others.length === 0
    ? 'It is encrypted by TLS.'
    : `It is encrypted by TLS, but the certificate is not for ${others.join(', ')}: agents that check that will not connect.`;
}
