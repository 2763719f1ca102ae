import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import { stringifyJson } from '../../../format/model/json-text-values.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import {
  a2a1,
  extensionsHeader,
  extensionsHeader03,
  listRequiredExtensions,
  sendPush,
  versionHeader,
} from '../../../format/registry/a2a/a2a-era.ts';
import { listSecrets, redactUrl } from '../../../secrets/given-secrets.ts';
import type { Sent, Transport } from '../../engine/ports.ts';
import { createAskingParts } from '../deferred-transport.ts';
import { formatRefusal, readFailureEnding } from '../http-failure.ts';
import { readJson } from '../json-text.ts';
import type { SpokenEra } from '../mcp-client/opening.ts';
import { callHttp } from './client/a2a-http-client.ts';
import { callJsonRpc } from './client/a2a-json-rpc-client.ts';
import {
  type A2aClientLimits,
  type A2aPeer,
  type A2aReceive,
  defaultA2aClientLimits,
  OutgoingCall,
} from './client/call.ts';
import { type A2aEndpoint, isGrpcUrl, listCardUrlsToTry, locateEndpoint } from './client/locate-endpoint.ts';
import { callRest } from './client/rest-client.ts';

export type { A2aClientLimits, A2aPeer } from './client/call.ts';

/** The agent that an A2A client speaks to, and its limits. */
export interface A2aClientOptions {
  /** The agent to speak to; called when the actor begins to speak. */
  target(): A2aPeer;
  /** Hosts, in addition to the target's, that its card may lead to. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly limits?: Partial<A2aClientLimits> | undefined;
  /** The era to speak. Default: that of the agent's card. */
  readonly era?: SpokenEra | undefined;
}

/** The client side of A2A, over the transport that the agent's card prefers. */
export function createA2aClient({
  target,
  allowedHosts = [],
  limits: given,
  era = 'both',
}: A2aClientOptions): Transport {
  const limits = { ...defaultA2aClientLimits, ...given };
  const open = new Set<OutgoingCall>();
  /** Calls whose answers are never read: their connections stay open until we close. */
  const unread = new Set<OutgoingCall>();
  let receive: A2aReceive = () => {};
  let card: Promise<Value | undefined> | undefined;
  const warned = new Set<string>();

  function newCall(ask: string, to: A2aReceive, sent: Sent, rule?: AppliedWireRule): OutgoingCall {
    const secrets = listSecrets(target());
    const call = new OutgoingCall({
      ask,
      limits,
      secrets,
      receive: to,
      sent,
      rule,
      closed: () => open.delete(call),
    });
    open.add(call);
    return call;
  }

  async function perform(call: OutgoingCall, method: string, params: Value | undefined): Promise<void> {
    const to = target();
    const isCard = method === 'agent_card/get';
    if (method === sendPush) return postClientPush(params, call);
    if (isCard && !isGrpcUrl(to.url)) return getCard(listCardUrlsToTry(to.url), to, call);
    card ??= findCard(to);
    const known = await card;
    const { place: found, avoided, withholds } = locateEndpoint(to, known, { allowedHosts, method, era });
    const place = addExtensions(found, known, params);
    if (call.isOver) return;
    const used = redactUrl(place.url);
    if (avoided.length > 0) warnOnce(call, 'O-124', `the agent’s card leads to ${avoided.join(', ')}; ${used} is used`);
    if (withholds)
      warnOnce(
        call,
        'O-125',
        `the agent’s card leads to ${used}, which is not where it was connected to; the headers for the agent are not sent there`,
      );
    // An agent that speaks only gRPC gives its card by a procedure of its own.
    const asked = isCard ? 'agent/getAuthenticatedExtendedCard' : method;
    const given = addTenant(params, place);
    if (place.transport === 'GRPC') (await import('./client/grpc-client.ts')).callGrpc(place, asked, given, call);
    else (place.transport === 'HTTP+JSON' ? callRest : callJsonRpc)(place, method, given, call);
  }

  function warnOnce(call: OutgoingCall, code: string, message: string): void {
    if (!warned.has(code)) call.warn(code, message);
    warned.add(code);
  }

  /** Gets the first card that exists. The call for the card is the event; trying a second address is not another one. */
  function getCard([url, ...others]: readonly string[], to: A2aPeer, call: OutgoingCall): void {
    if (url === undefined) {
      call.end('there is no address to get a card from');
      return;
    }
    callHttp(
      {
        url: new URL(url),
        verb: 'GET',
        headers: {
          ...(era !== 'legacy' && { [versionHeader]: a2a1 }),
          ...to.headers,
          accept: 'application/json',
        },
      },
      call,
      {
        event: (data) => call.malformed(data, 'an event in place of a card'),
        body(status, bytes, form) {
          if (status === 404 && others.length > 0) {
            getCard(others, to, call);
            return;
          }
          const read = readJson(bytes, limits.depth);
          if (read.ok && status < 300) {
            if (isValueMap(read.value)) card = Promise.resolve(read.value);
            if (isValueMap(read.value) && read.value.supportedInterfaces !== undefined) call.inEra(a2a1, {});
            call.answer({ kind: 'result', result: read.value });
            return;
          }
          const reason = status < 300 && !read.ok ? read.reason : formatRefusal(status, '', bytes);
          call.malformed(bytes, reason, form);
          call.end(reason, readFailureEnding(status));
        },
      },
    );
  }

  /** Posts a push notification. Its answer is the status and the body of the response. */
  function postClientPush(params: Value | undefined, call: OutgoingCall): void {
    const { url, payload = null } = isValueMap(params) ? params : {};
    callHttp({ url: new URL(String(url)), verb: 'POST', headers: {}, body: stringifyJson(payload) }, call, {
      event: (data) => call.malformed(data, 'an event in place of a response'),
      body(status, bytes, form) {
        const read = readJson(bytes, limits.depth);
        if (status < 300) {
          const body = read.ok ? read.value : bytes.toString('utf8');
          return call.answer({ kind: 'result', result: { status, body } });
        }
        const reason = formatRefusal(status, '', bytes);
        call.malformed(bytes, reason, form);
        call.end(reason, readFailureEnding(status));
      },
    });
  }

  /** Gets the card only to find the agent's address; it is not an event. */
  function findCard(to: A2aPeer): Promise<Value | undefined> {
    return new Promise((resolve) => {
      const call = newCall(
        'card',
        (message) => {
          if (message.kind === 'answer' && message.answer.kind === 'result') resolve(message.answer.result);
          if (message.kind === 'end') resolve(undefined);
        },
        () => {},
      );
      getCard(listCardUrlsToTry(to.url), to, call);
    });
  }

  return {
    async open(receiver) {
      receive = receiver;
      return { url: redactUrl(target().url) };
    },
    ask(_target, ask, method, params, sent, how) {
      const call = newCall(ask, (message) => receive(message), sent, how?.order);
      if (how?.order?.read === 'none') unread.add(call);
      perform(call, method, params).catch((thrown) =>
        call.end(thrown instanceof Error ? thrown.message : String(thrown)),
      );
    },
    ...createAskingParts(open),
    async close() {
      receive = () => {};
      for (const call of [...open, ...unread]) call.drop();
    },
  };
}

/**
 * Lists the extensions that the card requires and those that the message says it uses; a header from the operator
 * replaces the list.
 */
function addExtensions(place: A2aEndpoint, card: Value | undefined, params: Value | undefined): A2aEndpoint {
  const message = isValueMap(params) ? params.message : undefined;
  const used = isValueMap(message) && Array.isArray(message.extensions) ? message.extensions : [];
  const required = listRequiredExtensions(card).map(({ uri }) => uri);
  const uris = new Set([...required, ...(used as readonly Value[])].filter((uri) => typeof uri === 'string'));
  // A URI that is not valid in a header is left out.
  const listed = [...uris].filter((uri) => /^[\x21-\x2b\x2d-\x7e]+$/.test(uri)).join(', ');
  if (listed === '') return place;
  const header = place.dialect.era === undefined ? extensionsHeader03 : extensionsHeader;
  return { ...place, headers: { [header]: listed, ...place.headers } };
}

/** The tenant of an interface goes into every request to it. */
function addTenant(params: Value | undefined, { tenant }: A2aEndpoint): Value | undefined {
  if (tenant === undefined) return params;
  if (params === undefined) return { tenant };
  return isValueMap(params) ? { tenant, ...params } : params;
}
