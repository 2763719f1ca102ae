import type { NormalizedIndicator } from '../model/normalized.ts';
import { directionOf, type MessageRecord, messageValue } from '../model/trace.ts';
import type { BindingViews, Projection, Projector } from '../model/views.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';

/** What the bindings declare, and `body`: the whole message, which is the same for every protocol. */
export function createProjector(
  views: readonly BindingViews[],
): Projector & { protocolOf(view: Projection): string } {
  const byProtocol = new Map(
    views.flatMap(({ protocol, projector }) => (projector ? [[protocol, projector()]] : [])),
  );
  const protocols = new WeakMap<Projection, string>();
  const owned = (protocol: string, projections: readonly Projection[]): readonly Projection[] => {
    for (const projection of projections) protocols.set(projection, protocol);
    return projections;
  };
  return {
    add(record) {
      const declared = byProtocol.get(record.protocol)?.add(record) ?? [];
      return owned(record.protocol, [...declared, bodyOf(record)]);
    },
    finish: () => [...byProtocol].flatMap(([protocol, projector]) => owned(protocol, projector.finish())),
    protocolOf: (projection) => protocols.get(projection) ?? '',
  };
}

function bodyOf(record: MessageRecord): Projection {
  return {
    path: 'body',
    content: { body: messageValue(record) },
    record: record.seq,
    direction: directionOf(record),
  };
}

/** The target of an indicator that may be offered projections at all. */
export function projectableTarget(indicator: NormalizedIndicator): string | undefined {
  const { pattern, semantic, surface, actor } = indicator;
  if (surface !== undefined || actor !== undefined) return undefined;
  if (pattern === undefined) return semantic?.target;
  const { condition, target } = pattern;
  // That something is absent from a view says nothing about the messages.
  return isMatchCondition(condition) && condition.exists === false ? undefined : target;
}

export function isOffered(
  projection: Projection,
  protocol: string,
  indicator: NormalizedIndicator,
  target: string,
): boolean {
  const { path, direction, anyProtocol } = projection;
  if (anyProtocol !== true && protocol !== indicator.protocol) return false;
  if (indicator.direction !== undefined && indicator.direction !== direction) return false;
  return target === path || target.startsWith(`${path}.`) || target.startsWith(`${path}[`);
}
