import { type Diagnostic, isEvaluationError } from '../../../format/model/errors.ts';
import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { compilePredicate } from '../../../format/primitives/evaluate-predicate.ts';
import { addMeta } from '../../../format/registry/mcp-2026.ts';
import type { Fill, Ids, PeerRequest, PlanStep } from '../../engine/binding.ts';
import { warnOfOverdue } from '../../engine/overdue.ts';
import { listPlacedEntries } from '../state-pieces.ts';

// Messages that a server sends within a call before it answers, as data: a call that becomes a task is answered later.

export interface Interlude {
  readonly method: string;
  /** The params as the document writes them. */
  readonly params: ValueMap;
  readonly progressToken?: Value;
  /** The place of the entry in the state. */
  readonly piece: string;
}

/** Collects the log messages, progress and server requests of a call: each entry whose `when` holds for the request. */
export function collectInterludes(
  state: ValueMap,
  request: PeerRequest,
  fill: Fill,
): { readonly interludes: readonly Interlude[]; readonly warnings: readonly Diagnostic[] } {
  const { elicitations, sampling_requests, progress, logging } = state;
  if ((elicitations ?? sampling_requests ?? progress ?? logging) === undefined) return none;
  const warnings: Diagnostic[] = [];
  const applicable = (entries: Value | undefined, at: string): readonly Entry[] =>
    listPlacedEntries(entries, at).flatMap(({ at: piece, entry: { when, ...params } }) => {
      if (when === undefined || when === null) return [{ params, piece }];
      const predicate = fill(when);
      const holds = isValueMap(predicate) && compilePredicate(predicate)(request.params ?? {});
      if (isEvaluationError(holds)) warnings.push(warnOfOverdue(`the \`when\` of ${piece}`, holds.message));
      return holds === true ? [{ params, piece }] : [];
    });
  const progressToken = readProgressToken(request);
  const interludes: readonly Interlude[] = [
    // An extension of ours: log messages, sent at any level, even if the caller asked for less.
    ...applicable(logging, '/logging').map((each) => ({ method: 'notifications/message', ...each })),
    // An extension of ours: progress values for the token that the caller gave.
    ...(progressToken === undefined ? [] : applicable(progress, '/progress')).flatMap(({ params: { values }, piece }) =>
      toMaps(values).map((params) => ({ method: 'notifications/progress', params, progressToken, piece })),
    ),
    // An extension of ours, shaped like `elicitations`.
    ...applicable(sampling_requests, '/sampling_requests').map((each) => ({
      method: 'sampling/createMessage',
      ...each,
    })),
    ...applicable(elicitations, '/elicitations').map((each) => ({ method: 'elicitation/create', ...each })),
  ];
  return { interludes, warnings };
}

const none = { interludes: [], warnings: [] };

type Entry = Pick<Interlude, 'params' | 'piece'>;

function readProgressToken({ params }: PeerRequest): Value | undefined {
  const meta = isValueMap(params) ? params._meta : undefined;
  return isValueMap(meta) ? meta.progressToken : undefined;
}

interface StepOptions {
  /** The params of the call it belongs to, if that is not the current request. */
  readonly call?: Value | undefined;
  /** Added to the `_meta` of each message, except for keys that the document sets. */
  readonly meta?: ValueMap;
  /** The era of the call: since 2026-07-28 a URL elicitation has no id. */
  readonly era?: string | undefined;
}

export function planInterludes(
  interludes: readonly Interlude[],
  ids: Ids,
  { call, meta, era }: StepOptions,
): PlanStep[] {
  return interludes.map(({ method, params, progressToken, piece }): PlanStep => {
    const pieces = [piece];
    const marked = meta === undefined ? params : addMeta(params, meta);
    if (isOneWay({ method }))
      return {
        kind: 'notify',
        method,
        pieces,
        params: (fill) => ({
          ...(progressToken !== undefined && { progressToken }),
          ...(fill(marked, call) as ValueMap),
        }),
      };
    const needsId = era === undefined && params.mode === 'url' && params.elicitationId === undefined;
    const named = needsId ? { ...marked, elicitationId: ids.fresh() } : marked;
    return { kind: 'ask', method, pieces, params: (fill) => fill(named, call) };
  });
}

export function isOneWay({ method }: Pick<Interlude, 'method'>): boolean {
  return method.startsWith('notifications/');
}
