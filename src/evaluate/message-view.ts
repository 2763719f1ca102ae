import type { Value } from '../model/value.ts';
import { textOf } from '../primitives/compact-json.ts';
import type { WildcardPath } from '../primitives/resolve-wildcard-path.ts';

/** A value that a target resolved to; its text is made at most once, and only if an operator asks. */
export interface ResolvedValue {
  readonly value: Value;
  text(): string;
}

/**
 * A message under evaluation. Indicators share their targets more often than not, so what a target resolves
 * to is kept for the next one.
 */
export interface MessageView {
  readonly message: Value;
  resolve(path: CompiledTarget): readonly ResolvedValue[];
}

export interface CompiledTarget {
  readonly target: string;
  readonly path: WildcardPath;
}

export function viewMessage(message: Value): MessageView {
  const resolved = new Map<string, readonly ResolvedValue[]>();
  return {
    message,
    resolve({ target, path }) {
      let values = resolved.get(target);
      if (values === undefined) {
        values = path.values(message).map(resolvedValue);
        resolved.set(target, values);
      }
      return values;
    },
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
