import type { Fill, PeerRequest, PlanStep } from '../../engine/binding.ts';
import { overdue } from '../../engine/overdue.ts';
import { type Diagnostic, isEvaluationError } from '../../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { compilePredicate } from '../../primitives/evaluate-predicate.ts';
import { entriesOf } from '../state-pieces.ts';

// What a server sends within a call before it answers it, as data: a call that is made a task of is answered later.

export interface Interlude {
  readonly method: string;
  /** As the document has them. */
  readonly params: ValueMap;
  /** The caller's word for progress. */
  readonly progressToken?: Value;
  /** Where in the state it stands. */
  readonly piece: string;
}

/** Log messages, progress and server-initiated requests during a call: each whose `when` holds for the request. */
export function interludesFor(
  state: ValueMap,
  request: PeerRequest,
  fill: Fill,
): { readonly interludes: readonly Interlude[]; readonly warnings: readonly Diagnostic[] } {
  const { elicitations, sampling_requests, progress, logging } = state;
  if ((elicitations ?? sampling_requests ?? progress ?? logging) === undefined) return none;
  const warnings: Diagnostic[] = [];
  const applicable = (entries: Value | undefined, at: string): readonly Entry[] =>
    entriesOf(entries, at).flatMap(({ at: piece, entry: { when, ...params } }) => {
      if (when === undefined || when === null) return [{ params, piece }];
      const predicate = fill(when);
      const holds = isValueMap(predicate) && compilePredicate(predicate)(request.params ?? {});
      if (isEvaluationError(holds)) warnings.push(overdue(`the \`when\` of ${piece}`, holds.message));
      return holds === true ? [{ params, piece }] : [];
    });
  const progressToken = tokenIn(request);
  const interludes: readonly Interlude[] = [
    // An extension of ours: what the server logs, whatever level the caller asked for.
    ...applicable(logging, '/logging').map((each) => ({ method: 'notifications/message', ...each })),
    // An extension of ours: progress values for the token that the caller gave.
    ...(progressToken === undefined ? [] : applicable(progress, '/progress')).flatMap(
      ({ params: { values }, piece }) =>
        mapsOf(values).map((params) => ({ method: 'notifications/progress', params, progressToken, piece })),
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

function tokenIn({ params }: PeerRequest): Value | undefined {
  const meta = isValueMap(params) ? params._meta : undefined;
  return isValueMap(meta) ? meta.progressToken : undefined;
}

export interface StepOptions {
  /** The call that it is done for, where that is not the request at hand. */
  readonly call?: Value | undefined;
  /** What each carries in its `_meta`, unless the document says something else there. */
  readonly meta?: ValueMap;
  /** The era of the call: since 2026-07-28 an address to visit has no id. */
  readonly era?: string | undefined;
}

export function stepsOf(interludes: readonly Interlude[], { call, meta, era }: StepOptions = {}): PlanStep[] {
  return interludes.map(({ method, params, progressToken, piece }): PlanStep => {
    const pieces = [piece];
    const marked = meta === undefined ? params : withMeta(params, meta);
    if (expectsNoAnswer({ method }))
      return {
        kind: 'notify',
        method,
        pieces,
        params: (fill) => ({
          ...(progressToken !== undefined && { progressToken }),
          ...(fill(marked, call) as ValueMap),
        }),
      };
    return {
      kind: 'ask',
      method,
      pieces,
      params(fill, ask) {
        const needsId = era === undefined && params.mode === 'url' && (params.elicitationId ?? null) === null;
        return fill(needsId ? { ...marked, elicitationId: ask } : marked, call);
      },
    };
  });
}

export function expectsNoAnswer({ method }: Pick<Interlude, 'method'>): boolean {
  return method.startsWith('notifications/');
}

/** A map with more in its `_meta`; what the document has there stays as it is. */
export function withMeta(value: ValueMap, meta: ValueMap): ValueMap {
  const written = value._meta ?? {};
  return isValueMap(written) ? { ...value, _meta: { ...meta, ...written } } : value;
}

export function mapsOf(items: Value | undefined): readonly ValueMap[] {
  return Array.isArray(items) ? items.filter(isValueMap) : [];
}
