import { formatPath, type Path } from '../model/path.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { textOf } from '../primitives/compact-json.ts';
import { requestBeside } from '../primitives/message-value.ts';
import type { WildcardPath } from '../primitives/resolve-wildcard-path.ts';
import { withoutPaths } from './without-paths.ts';

/** A value that a target resolved to; its text is made at most once, and only if an operator asks. */
export interface ResolvedValue {
  readonly value: Value;
  text(): string;
  /** Where it stands; left out where the order of the target's values tells. */
  readonly path?: string;
  /** It is, or holds, what the agent repeats of ours. */
  readonly own?: true;
}

/**
 * A message under evaluation. Indicators share their targets more often than not, so what a target resolves
 * to is kept for the next one.
 */
export interface MessageView {
  /** To the letter. */
  readonly message: Value;
  /** We sent it. */
  readonly isOurs: boolean;
  /** Where the agent repeats ours, as paths with real indices. */
  readonly echoes: readonly string[];
  /** The message without what the agent repeats of ours. */
  theirs(): Value;
  /** What is the agent's comes before what is ours. */
  resolve(target: CompiledTarget): readonly ResolvedValue[];
  /** Whether what stands at a path, with real indices, is ours. */
  isOwn(path: string): boolean;
}

export interface CompiledTarget {
  readonly target: string;
  readonly path: WildcardPath;
}

export interface Provenance {
  readonly isOurs?: boolean;
  readonly echoes?: readonly Path[];
}

const none: readonly string[] = [];

export function viewMessage(message: Value, provenance: Provenance = {}): MessageView {
  const { isOurs = false, echoes: paths = [] } = provenance;
  const echoes = paths.length === 0 ? none : paths.map(formatPath);
  const resolved = new Map<string, readonly ResolvedValue[]>();
  let theirs: Value | undefined;
  return {
    message,
    isOurs,
    echoes,
    theirs() {
      theirs ??= withoutPaths(message, paths);
      return theirs;
    },
    resolve({ target, path }) {
      let values = resolved.get(target);
      if (values === undefined) {
        values = paths.length === 0 ? path.values(message).map(resolvedValue) : apart(message, path, paths);
        resolved.set(target, values);
      }
      return values;
    },
    isOwn: (path) =>
      isOurs || isRequestBeside(message, path) || echoes.some((echo) => isAtOrBelow(path, echo)),
  };
}

function resolvedValue(value: Value): ResolvedValue {
  let text: string | undefined;
  return {
    value,
    text() {
      text ??= textOf(value, 'sorted');
      return text;
    },
  };
}

/**
 * The values of a target in a message that repeats ours. A value that holds an echo is looked at without it; to the
 * letter, and as ours, only where the target names the field that the echo stands in.
 */
function apart(message: Value, path: WildcardPath, echoes: readonly Path[]): readonly ResolvedValue[] {
  const theirs: ResolvedValue[] = [];
  const ours: ResolvedValue[] = [];
  for (const { path: place, value } of path.located(message)) {
    const at = { path: place };
    if (echoes.some((echo) => isAtOrBelow(place, formatPath(echo)))) {
      ours.push({ ...resolvedValue(value), ...at, own: true });
      continue;
    }
    const held = echoes.filter((echo) => isAtOrBelow(formatPath(echo), place));
    if (held.length === 0) {
      theirs.push({ ...resolvedValue(value), ...at });
      continue;
    }
    const depth = depthOf(place);
    const rest = withoutPaths(
      value,
      held.map((echo) => echo.slice(depth)),
    );
    const isNamed = held.some((echo) => isAtOrBelow(place, formatPath(fieldOf(echo))));
    // Between an echo and its field there are lists alone.
    const isNothing = Array.isArray(rest) && rest.length === 0;
    if (!isNamed || !isNothing) theirs.push({ ...resolvedValue(rest), ...at });
    if (isNamed) ours.push({ ...resolvedValue(value), ...at, own: true });
  }
  return [...theirs, ...ours];
}

/** The field that an echo stands in: `history` for `history[0]`. */
export function fieldOf(echo: Path): Path {
  const last = echo.findLastIndex((segment) => typeof segment === 'string');
  return echo.slice(0, last + 1);
}

function isAtOrBelow(path: string, above: string): boolean {
  if (above === '') return true;
  if (!path.startsWith(above)) return false;
  const next = path[above.length];
  return next === undefined || next === '.' || next === '[';
}

/** Segments of a path with real indices; its keys have no dots or brackets in them. */
function depthOf(path: string): number {
  return path === '' ? 0 : (path.match(/\.|\[/g)?.length ?? 0) + 1;
}

const requestPath = /^(body\.)?_request(?:[.[]|$)/;

function isRequestBeside(message: Value, path: string): boolean {
  const found = requestPath.exec(path);
  if (found === null) return false;
  const holder = found[1] === undefined ? message : isValueMap(message) ? message.body : undefined;
  return holder !== undefined && requestBeside(holder) !== undefined;
}
