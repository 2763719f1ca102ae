import type { BindingViews, Projection, Projector, StreamView } from '../../format/model/binding-views.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { isMatchCondition } from '../../format/primitives/evaluate-condition.ts';
import { directionOf, messageValue } from '../../format/primitives/message-value.ts';

/**
 * Joins the projections of all bindings with `body`, the whole message, which is the same for every protocol. `targets` are
 * those of indicators that may see projections by path. Streams are for all indicators of the protocol.
 */
export function createProjector(
  views: readonly BindingViews[],
  protocols: ReadonlySet<Protocol>,
  targets: readonly string[],
): Projector | undefined {
  const byProtocol = new Map(
    views.flatMap(({ protocol, projector }) =>
      projector !== undefined && (targets.length > 0 || protocols.has(protocol))
        ? [[protocol, projector()] as const]
        : [],
    ),
  );
  const wantsBody = targets.some((target) => isWithinPath(target, bodyPath));
  if (byProtocol.size === 0 && !wantsBody) return undefined;
  return {
    add(record) {
      const declared = (byProtocol.get(record.protocol)?.add(record) ?? []).map((projection) =>
        projection.record === record.seq ? { actor: record.actor, ...projection } : projection,
      );
      return wantsBody ? [...declared, projectBody(record)] : declared;
    },
    finish: () => [...byProtocol.values()].flatMap((projector) => projector.finish()),
  };
}

export const bodyPath = 'body';

function projectBody(record: MessageRecord): Projection {
  return {
    path: bodyPath,
    content: { body: messageValue(record) },
    record: record.seq,
    protocol: record.protocol,
    direction: directionOf(record),
    actor: record.actor,
    ...(record.origin === 'attacker' && { own: true }),
  };
}

function isWithinPath(target: string, path: string): boolean {
  return target === path || target.startsWith(`${path}.`) || target.startsWith(`${path}[`);
}

/** The target of an indicator, if the indicator may see projections by path. */
export function findProjectableTarget(indicator: NormalizedIndicator): string | undefined {
  const { pattern, semantic, surface } = indicator;
  if (surface !== undefined) return undefined;
  if (pattern === undefined) return semantic?.target;
  // The absence of a value from a projection says nothing about the messages.
  return isAbsenceCheck(indicator) ? undefined : pattern.target;
}

function isAbsenceCheck({ pattern }: NormalizedIndicator): boolean {
  return pattern !== undefined && isMatchCondition(pattern.condition) && pattern.condition.exists === false;
}

interface OfferedIndicator {
  readonly indicator: NormalizedIndicator;
  readonly projectable: string | undefined;
}

export function isOffered(
  projection: Projection,
  { indicator, projectable }: OfferedIndicator,
  withPaths: boolean,
): boolean {
  const { path, protocol, direction, anyProtocol, own, stream } = projection;
  if (anyProtocol !== true && protocol !== indicator.protocol) return false;
  if (indicator.direction === undefined ? own : indicator.direction !== direction) return false;
  if (stream !== undefined) return isOfferedStream(stream, indicator);
  if (indicator.actor !== undefined && projection.actor !== indicator.actor) return false;
  return withPaths && projectable !== undefined && isWithinPath(projectable, path);
}

function isOfferedStream({ last, surfaces, isWhole }: StreamView, indicator: NormalizedIndicator): boolean {
  const { surface, actor } = indicator;
  if (actor !== undefined && actor !== last.actor) return false;
  if (surface !== undefined) return surfaces.includes(surface) && !(isWhole && isAbsenceCheck(indicator));
  return isWhole && !isAbsenceCheck(indicator);
}
