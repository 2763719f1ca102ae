import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import {
  addMeta,
  cacheableMethods,
  mcp2026,
  mcp2026Error,
  mcpTasks,
  metaKey,
  subscriptionKeys,
} from '../../../format/registry/mcp-2026.ts';
import type { Answer } from '../../engine/actor-messages.ts';
import type { AnswerPlan, Fill, PeerRequest } from '../../engine/binding.ts';
import type { ServedEra } from '../served-era.ts';
import {
  chooseServedEra,
  createIntroduction,
  listIntroductionPieces,
  listSupportedVersions,
  readDeclaredVersion,
  readServerInfo,
} from './introductions.ts';
import { planMcpError, planMcpResult } from './plans.ts';
import { hasTaskTools } from './tasks-2026.ts';

// MCP since 2026-07-28. The results are the same as before; this file wraps them in the new envelope.

/** The reason why a request is not served in its era. */
export function refuseOtherMcpEra(request: PeerRequest, state: ValueMap, forced: ServedEra): AnswerPlan | undefined {
  const era = chooseServedEra(state, forced);
  const isModern = request.era === mcp2026;
  const isServed = era === 'both' || (era === 'modern') === isModern;
  if (isServed && !isModern) return undefined;
  const supported = listSupportedVersions(state, era);
  const requested = isModern ? readDeclaredVersion(request) : readRequestedVersion(request);
  // A version that the document sets is only announced: clients ask for one that they know.
  const isKnown = !isModern || [undefined, mcp2026, ...supported].includes(requested);
  if (isServed && isKnown) return undefined;
  return planMcpError({
    code: mcp2026Error.unsupportedVersion,
    message: 'Unsupported protocol version',
    data: { supported, requested: requested ?? null },
  });
}

function readRequestedVersion({ params }: PeerRequest): Value | undefined {
  return isValueMap(params) ? params.protocolVersion : undefined;
}

export function planDiscovery(state: ValueMap, _request: PeerRequest): AnswerPlan {
  const introduction = createIntroduction(state);
  const capabilities =
    state.capabilities === undefined && isValueMap(introduction.capabilities) && hasTaskTools(state)
      ? { capabilities: { ...introduction.capabilities, extensions: { [mcpTasks]: {} } } }
      : {};
  return planMcpResult(
    { supportedVersions: listSupportedVersions(state, 'both'), ...introduction, ...capabilities },
    listIntroductionPieces(state),
  );
}

/** Opens a stream of notifications. It begins with the subset of the requested kinds that the client will get. */
export function planSubscription(_state: ValueMap, { params }: PeerRequest): AnswerPlan {
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
export function toEra2026Plan(plan: AnswerPlan, { method }: PeerRequest, state: ValueMap): AnswerPlan {
  const tellsServer = state.server_info !== undefined;
  const pieces = plan.pieces ?? [];
  return {
    ...plan,
    pieces: tellsServer && !pieces.includes('/server_info') ? [...pieces, '/server_info'] : pieces,
    answer: (fill) => wrapEra2026Answer(plan.answer(fill), method, state, fill),
  };
}

function wrapEra2026Answer(answer: Answer, method: string, state: ValueMap, fill: Fill): Answer {
  if (answer.kind === 'error' || !isValueMap(answer.result)) return answer;
  const { result } = answer;
  const typed = { ...result, ...(result.resultType === undefined && { resultType: 'complete' }) };
  const isCacheable = cacheableMethods.has(method) && typed.resultType === 'complete';
  const ordered = isValueMap(state.caching) ? { ...caching, ...state.caching } : caching;
  const cached = isCacheable ? { ...typed, ...pickMissingDefaults(typed, ordered) } : typed;
  return { kind: 'result', result: addMeta(cached, { [metaKey.serverInfo]: fill(readServerInfo(state)) }) };
}

/** The defaults of the official servers. */
const caching: ValueMap = { ttlMs: 0, cacheScope: 'private' };

function pickMissingDefaults(written: ValueMap, defaults: ValueMap): ValueMap {
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => written[key] === undefined));
}
