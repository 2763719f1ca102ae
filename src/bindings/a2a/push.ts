import type { EntryAsk } from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { a2a1 } from '../../registry/a2a/era.ts';
import { payload1 } from './era-1.ts';
import { hostOf, isLoopback, splitHost } from './hosts.ts';
import { textIn } from './shapes.ts';
import type { Memory } from './tasks.ts';

// Format spec §7.2.6. Documents and agents name the address, and neither may be trusted with the operator's network.

export const sendPush = 'send_push_notification';

/** Plans a push to an endpoint that the agent registered. Any other address needs the operator's permission. */
export function planPush(
  value: Value,
  memory: Memory,
  { allowedHosts, isExposed }: { readonly allowedHosts: readonly string[]; readonly isExposed: boolean },
): EntryAsk {
  const { url, payload = null } = isValueMap(value) ? value : {};
  if (typeof url !== 'string') return refused('`send_push_notification` has no `url`, so nothing is sent');
  const found = memory.configs.findLast(({ config }) => config.url === url);
  const configured = found?.config;
  const host = hostOf(url);
  const [name] = splitHost(host);
  const isAllowed = allowedHosts.some((each) => each === host || each === name);
  const isHere = isLoopback(name);
  if (!isAllowed && (configured === undefined || !isHere || isExposed)) {
    const why =
      configured === undefined
        ? 'no agent registered this address'
        : isHere
          ? 'it is on this machine, and the agent may be on another'
          : 'it is not on this machine';
    return refused(`nothing is sent to ${url}: ${why}; --allow-host ${name} allows it`);
  }
  const headers = headersOf(configured);
  if (found?.era !== a2a1) return { method: sendPush, params: { url, headers, payload } };
  const typed = { 'content-type': 'application/a2a+json', ...headers };
  return { method: sendPush, params: { url, headers: typed, payload: payload1(payload) } };
}

function refused(message: string): EntryAsk {
  const warning: Diagnostic = { severity: 'warning', code: 'O-122', message };
  return { warnings: [warning] };
}

/** The headers by which the agent recognises us, from its configuration. */
function headersOf(config: ValueMap | undefined): ValueMap {
  const token = textIn(config, 'token');
  const authentication = config?.authentication;
  const credentials = textIn(authentication, 'credentials');
  const schemes = isValueMap(authentication) ? authentication.schemes : undefined;
  const scheme = Array.isArray(schemes) && typeof schemes[0] === 'string' ? schemes[0] : 'Bearer';
  return {
    ...(token !== undefined && token !== '' && { 'x-a2a-notification-token': token }),
    ...(credentials !== undefined && credentials !== '' && { authorization: `${scheme} ${credentials}` }),
  };
}
