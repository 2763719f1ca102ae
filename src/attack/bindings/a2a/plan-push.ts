import type { Diagnostic } from '../../../format/model/errors.ts';
import { isLoopback } from '../../../format/model/loopback.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { a2a1, sendPush } from '../../../format/registry/a2a/a2a-era.ts';
import type { EntryAsk } from '../../engine/binding.ts';
import type { A2aServerMemory } from './a2a-server-memory.ts';
import { readMapText } from './a2a-shapes.ts';
import { toPushPayload1 } from './a2a-spelling-1.ts';
import { readHost, splitHost } from './hosts.ts';

// Format spec §7.2.6. Documents and agents name the address, and neither may be trusted with the operator's network.

/** Plans a push to an endpoint that the agent registered. Any other address needs the operator's permission. */
export function planPush(
  value: Value,
  memory: A2aServerMemory,
  { allowedHosts, isExposed }: { readonly allowedHosts: readonly string[]; readonly isExposed: boolean },
): EntryAsk {
  const { url, payload = null } = isValueMap(value) ? value : {};
  if (typeof url !== 'string') return refusePush(noUrl);
  const found = memory.configs.findLast(({ config }) => config.url === url);
  const configured = found?.config;
  const { name, isAllowed } = readPushHost(url, allowedHosts);
  const isHere = isLoopback(name);
  if (!isAllowed && (configured === undefined || !isHere || isExposed)) {
    const why =
      configured === undefined
        ? 'no agent registered this address'
        : isHere
          ? 'it is on this machine, and the agent may be on another'
          : 'it is not on this machine';
    return refuseHost(url, name, why);
  }
  const headers = readPushHeaders(configured);
  if (found?.era !== a2a1) return { method: sendPush, params: { url, headers, payload } };
  const typed = { 'content-type': 'application/a2a+json', ...headers };
  return { method: sendPush, params: { url, headers: typed, payload: toPushPayload1(payload) } };
}

/**
 * Plans a push by a client: to the machine of the agent that it speaks to. Any other address needs the operator's
 * permission.
 */
export function planClientPush(value: Value, agentUrl: string, allowedHosts: readonly string[]): EntryAsk {
  const { url, payload = null } = isValueMap(value) ? value : {};
  if (typeof url !== 'string') return refusePush(noUrl);
  const { name, isAllowed } = readPushHost(url, allowedHosts);
  const [agent] = splitHost(readHost(agentUrl));
  const isOfAgent = name === agent || (isLoopback(name) && isLoopback(agent));
  if (!isAllowed && !isOfAgent) return refuseHost(url, name, 'it is not on the machine of the agent');
  if (!/^https?:\/\//i.test(url)) return refusePush(`nothing is sent to ${url}: it is not an http or https URL`);
  return { method: sendPush, params: { url, payload } };
}

const noUrl = '`send_push_notification` has no `url`, so nothing is sent';

function readPushHost(
  url: string,
  allowedHosts: readonly string[],
): { readonly name: string; readonly isAllowed: boolean } {
  const host = readHost(url);
  const [name] = splitHost(host);
  return { name, isAllowed: allowedHosts.some((each) => each === host || each === name) };
}

function refuseHost(url: string, name: string, why: string): EntryAsk {
  return refusePush(`nothing is sent to ${url}: ${why}; --allow-host ${name} allows it`);
}

function refusePush(message: string): EntryAsk {
  const warning: Diagnostic = { severity: 'warning', code: 'O-122', message };
  return { warnings: [warning] };
}

/** The headers by which the agent recognises us, from its configuration. */
function readPushHeaders(config: ValueMap | undefined): ValueMap {
  const token = readMapText(config, 'token');
  const authentication = config?.authentication;
  const credentials = readMapText(authentication, 'credentials');
  const schemes = isValueMap(authentication) ? authentication.schemes : undefined;
  const scheme = Array.isArray(schemes) && typeof schemes[0] === 'string' ? schemes[0] : 'Bearer';
  return {
    ...(token !== undefined && token !== '' && { 'x-a2a-notification-token': token }),
    ...(credentials !== undefined && credentials !== '' && { authorization: `${scheme} ${credentials}` }),
  };
}
