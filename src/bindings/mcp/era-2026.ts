import type { AnswerPlan, Fill, PeerRequest } from '../../engine/binding.ts';
import type { Answer } from '../../engine/messages.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import {
  cacheableMethods,
  mcp2026,
  mcp2026Error,
  mcpTasks,
  metaKey,
  subscriptionKeys,
} from '../../registry/mcp-2026.ts';
import type { ServedEra } from '../served-era.ts';
import { withMeta } from './interludes.ts';
import { introduction, introductionPieces, serverInfo } from './introductions.ts';
import { fail, succeed } from './plans.ts';
import { givesTasks } from './tasks-2026.ts';
import { servedEra, supportedVersions, versionIn } from './versions.ts';

// MCP since 2026-07-28. The results are the same as before; this file wraps them in the new envelope.

/** The reason why a request is not served in its era. */
export function eraRefusal(request: PeerRequest, state: ValueMap, forced: ServedEra): AnswerPlan | undefined {
  const era = servedEra(state, forced);
  const isModern = request.era === mcp2026;
  const isServed = era === 'both' || (era === 'modern') === isModern;
  if (isServed && !isModern) return undefined;
  const supported = supportedVersions(state, era);
  const requested = isModern ? versionIn(request) : requestedVersion(request);
  // A version that the document sets is only announced: clients ask for one that they know.
  const isKnown = !isModern || [undefined, mcp2026, ...supported].includes(requested);
  if (isServed && isKnown) return undefined;
  return fail({
    code: mcp2026Error.unsupportedVersion,
    message: 'Unsupported protocol version',
    data: { supported, requested: requested ?? null },
  });
}

function requestedVersion({ params }: PeerRequest): Value | undefined {
  return isValueMap(params) ? params.protocolVersion : undefined;
}

export function discover(state: ValueMap, _request: PeerRequest): AnswerPlan {
  const said = introduction(state);
  const isWritten = (state.capabilities ?? null) !== null;
  const capabilities =
    !isWritten && isValueMap(said.capabilities) && givesTasks(state)
      ? { capabilities: { ...said.capabilities, extensions: { [mcpTasks]: {} } } }
      : {};
  return succeed(
    { supportedVersions: supportedVersions(state, 'both'), ...said, ...capabilities },
    introductionPieces(state),
  );
}

/** Opens a stream of notifications. It begins with the subset of the requested kinds that the client will get. */
export function listen(_state: ValueMap, { params }: PeerRequest): AnswerPlan {
  const asked = isValueMap(params) && isValueMap(params.notifications) ? params.notifications : {};
  const known = new Set(subscriptionKeys.values());
  const notifications = Object.fromEntries(
    Object.entries(asked).filter(([key, value]) => known.has(key) && value !== false && value !== null),
  );
  return {
    steps: [
      {
        kind: 'notify',
        method: 'notifications/subscriptions/acknowledged',
        params: () => ({ notifications }),
      },
    ],
    staysOpen: true,
    answer: () => ({ kind: 'result', result: {} }),
  };
}

/** The answer as this era writes it. Values that the document sets are never replaced. */
export function inEra2026(plan: AnswerPlan, { method }: PeerRequest, state: ValueMap): AnswerPlan {
  const tellsServer = (state.server_info ?? null) !== null;
  const pieces = plan.pieces ?? [];
  return {
    ...plan,
    pieces: tellsServer && !pieces.includes('/server_info') ? [...pieces, '/server_info'] : pieces,
    answer: (fill) => enveloped(plan.answer(fill), method, state, fill),
  };
}

function enveloped(answer: Answer, method: string, state: ValueMap, fill: Fill): Answer {
  if (answer.kind === 'error' || !isValueMap(answer.result)) return answer;
  const { result } = answer;
  const typed = { ...result, ...(result.resultType === undefined && { resultType: 'complete' }) };
  const isCacheable = cacheableMethods.has(method) && typed.resultType === 'complete';
  const ordered = isValueMap(state.caching) ? { ...caching, ...state.caching } : caching;
  const cached = isCacheable ? { ...typed, ...missing(typed, ordered) } : typed;
  return { kind: 'result', result: withMeta(cached, { [metaKey.serverInfo]: fill(serverInfo(state)) }) };
}

/** The defaults of the official servers. */
const caching: ValueMap = { ttlMs: 0, cacheScope: 'private' };

function missing(written: ValueMap, defaults: ValueMap): ValueMap {
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => written[key] === undefined));
}
