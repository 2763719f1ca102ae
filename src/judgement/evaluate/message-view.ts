import type { Echo } from '../../format/model/binding-views.ts';
import { formatPath, type Path } from '../../format/model/path.ts';
import { isValueMap, setOwn, type Value } from '../../format/model/value.ts';
import { formatAsText } from '../../format/primitives/compact-json.ts';
import { readAttachedRequest, replaceResponse } from '../../format/primitives/message-value.ts';
import type { WildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';

/** A value that a target resolved to. Its text is made at most once, and only if an operator needs it. */
export interface ResolvedValue {
  readonly value: Value;
  text(): string;
  /** The path of the value. Absent if its position among the target's values gives it. */
  readonly path?: string;
  /** Set if the value is, or contains, an echo of our own text. */
  readonly own?: true;
}

/** A message under evaluation. Indicators often share targets, so the values of a target are kept for the next indicator. */
export interface MessageView {
  /** The message exactly as it was sent. */
  readonly message: Value;
  /** Whether we sent the message. */
  readonly isOurs: boolean;
  /** The paths, with real indices, at which the agent repeats our text. */
  readonly echoes: readonly string[];
  /** The message without the agent's echoes of our text. */
  theirs(): Value;
  /** The values of a target: first the agent's own, then ours. */
  resolve(target: CompiledTarget): readonly ResolvedValue[];
  /** Whether the value at a path with real indices is ours. */
  isOwn(path: string): boolean;
  /** The texts that hold ours and the agent's, one by one, and very many of them together: a match may need both. */
  mixed(): readonly MixedText[];
}

/** A message with one text that holds our words and the agent's, and without ours everywhere else. */
export interface MixedText {
  /** The text as it was sent. */
  readonly whole: MessageView;
  /** Our words of it alone. */
  readonly ours: MessageView;
}

export interface CompiledTarget {
  readonly target: string;
  readonly path: WildcardPath;
}

interface Provenance {
  readonly isOurs?: boolean | undefined;
  readonly echoes?: readonly Echo[] | undefined;
}

export function createMessageView(message: Value, provenance: Provenance = {}): MessageView {
  const { isOurs = false, echoes = [] } = provenance;
  const whole = echoes.filter(({ rest }) => rest === undefined).map(({ path }) => formatPath(path));
  const resolved = new Map<string, readonly ResolvedValue[]>();
  let theirs: Value | undefined;
  let mixed: readonly MixedText[] | undefined;
  return {
    message,
    isOurs,
    echoes: echoes.map(({ path }) => formatPath(path)),
    theirs() {
      theirs ??= removeEchoes(message, echoes);
      return theirs;
    },
    resolve({ target, path }) {
      let values = resolved.get(target);
      if (values === undefined) {
        values =
          echoes.length === 0 ? path.values(message).map(createResolvedValue) : resolveApart(message, path, echoes);
        resolved.set(target, values);
      }
      return values;
    },
    isOwn: (path) => isOurs || isRequestBeside(message, path) || whole.some((echo) => isAtOrBelow(path, echo)),
    mixed() {
      mixed ??= isOurs ? [] : listMixedTexts(message, echoes);
      return mixed;
    },
  };
}

/** The most that are looked at one by one. */
const mostMixed = 100;

/** What is ours keeps its place, so that paths stay what they are. */
function listMixedTexts(message: Value, echoes: readonly Echo[]): readonly MixedText[] {
  const held = echoes.filter(({ ours }) => ours !== undefined);
  const view = (kept: readonly Echo[]): MessageView => createMessageView(removeEchoes(message, kept, null));
  const mix = (looked: readonly Echo[]): MixedText => {
    const others = echoes.filter((echo) => !looked.includes(echo));
    return {
      whole: view(others),
      ours: view([...others, ...looked.map(({ path, ours = '' }) => ({ path, rest: ours }))]),
    };
  };
  const single = held.slice(0, mostMixed).map((echo) => mix([echo]));
  return held.length <= mostMixed ? single : [...single, mix(held)];
}

function createResolvedValue(value: Value): ResolvedValue {
  let text: string | undefined;
  return {
    value,
    text() {
      text ??= formatAsText(value, 'sorted');
      return text;
    },
  };
}

/**
 * Resolves a target in a message with echoes. A value that contains an echo is offered without it. It is also offered whole,
 * as ours, if the target names the field that the echo stands in.
 */
function resolveApart(message: Value, path: WildcardPath, echoes: readonly Echo[]): readonly ResolvedValue[] {
  const theirs: ResolvedValue[] = [];
  const ours: ResolvedValue[] = [];
  for (const { path: place, value } of path.located(message)) {
    const at = { path: place };
    if (echoes.some((echo) => echo.rest === undefined && isAtOrBelow(place, formatPath(echo.path)))) {
      ours.push({ ...createResolvedValue(value), ...at, own: true });
      continue;
    }
    const held = echoes.filter((echo) => isAtOrBelow(formatPath(echo.path), place));
    const depth = countSegments(place);
    const rest = removeEchoes(
      value,
      held.map((echo) => ({ ...echo, path: echo.path.slice(depth) })),
    );
    const isNamed = held.some((echo) => isAtOrBelow(place, formatPath(findEchoField(echo.path))));
    // Only lists lie between an echo and its field, so an empty list means that nothing of the agent's is left.
    const isNothing = Array.isArray(rest) && rest.length === 0;
    if (!isNamed || !isNothing) theirs.push({ ...createResolvedValue(rest), ...at });
    if (isNamed) ours.push({ ...createResolvedValue(value), ...at, own: true });
  }
  return [...theirs, ...ours];
}

/** The field that an echo stands in: `history` for `history[0]`. */
export function findEchoField(echo: Path): Path {
  const last = echo.findLastIndex((segment) => typeof segment === 'string');
  return echo.slice(0, last + 1);
}

function isAtOrBelow(path: string, above: string): boolean {
  if (above === '') return true;
  if (!path.startsWith(above)) return false;
  const next = path[above.length];
  return next === undefined || next === '.' || next === '[';
}

/** Counts the segments of a path with real indices. Its keys contain no dots or brackets. */
function countSegments(path: string): number {
  return path === '' ? 0 : (path.match(/\.|\[/g)?.length ?? 0) + 1;
}

const requestPath = /^(body\.)?_request(?:[.[]|$)/;

function isRequestBeside(message: Value, path: string): boolean {
  const found = requestPath.exec(path);
  if (found === null) return false;
  const holder = found[1] === undefined ? message : isValueMap(message) ? message.body : undefined;
  return holder !== undefined && readAttachedRequest(holder) !== undefined;
}

/**
 * Copies a value without the echoes in it, or with `fill` in their places. What is left beside our text stays. Parts that are
 * not on the way to an echo are shared.
 */
export function removeEchoes(value: Value, echoes: readonly Echo[], fill?: null): Value {
  if (echoes.length === 0) return value;
  const within = new Map<string | number, Echo[]>();
  for (const { path, ...left } of echoes) {
    const [first, ...rest] = path;
    if (first === undefined) return left.rest ?? (fill === null ? null : createEmpty(value));
    within.set(first, [...(within.get(first) ?? []), { ...left, path: rest }]);
  }
  /** The items to keep in place of an item: none, or one. */
  const keep = (key: string | number, item: Value): readonly Value[] => {
    const inner = within.get(key) ?? [];
    const isRemoved = fill === undefined && inner.some(({ path, rest }) => path.length === 0 && rest === undefined);
    return isRemoved ? [] : [removeEchoes(item, inner, fill)];
  };
  if (Array.isArray(value)) return value.flatMap((item: Value, index) => keep(index, item));
  if (!isValueMap(value)) return value;
  const kept: Record<string, Value> = {};
  for (const [key, item] of Object.entries(value)) for (const left of keep(key, item)) setOwn(kept, key, left);
  return fill === undefined ? replaceResponse(value, kept) : kept;
}

function createEmpty(value: Value): Value {
  return Array.isArray(value) ? [] : isValueMap(value) ? {} : '';
}
