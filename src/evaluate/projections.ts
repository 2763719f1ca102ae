import type { NormalizedIndicator } from '../model/normalized.ts';
import type { MessageRecord } from '../model/trace.ts';
import type { BindingViews, Projection, Projector } from '../model/views.ts';
import { directionOf } from '../primitives/direction-of.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';
import { messageValue } from '../primitives/message-value.ts';

/** What the bindings declare, and `body`: the whole message, which is the same for every protocol. */
export function createProjector(views: readonly BindingViews[], targets: readonly string[]): Projector {
  const byProtocol = new Map(
    views.flatMap(({ protocol, projector }) => (projector ? [[protocol, projector()]] : [])),
  );
  const wantsBody = targets.some((target) => beginsWith(target, bodyPath));
  return {
    add(record) {
      const declared = byProtocol.get(record.protocol)?.add(record) ?? [];
      return wantsBody ? [...declared, bodyOf(record)] : declared;
    },
    finish: () => [...byProtocol.values()].flatMap((projector) => projector.finish()),
  };
}

const bodyPath = 'body';

function bodyOf(record: MessageRecord): Projection {
  return {
    path: bodyPath,
    content: { body: messageValue(record) },
    record: record.seq,
    protocol: record.protocol,
    direction: directionOf(record),
  };
}

function beginsWith(target: string, path: string): boolean {
  return target === path || target.startsWith(`${path}.`) || target.startsWith(`${path}[`);
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

export function isOffered(projection: Projection, indicator: NormalizedIndicator, target: string): boolean {
  const { path, protocol, direction, anyProtocol } = projection;
  if (anyProtocol !== true && protocol !== indicator.protocol) return false;
  if (indicator.direction !== undefined && indicator.direction !== direction) return false;
  return beginsWith(target, path);
}
