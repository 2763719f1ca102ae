import { stringifyJson } from '../../format/model/json-text-values.ts';
import type { NormalizedExecution } from '../../format/model/normalized.ts';
import type { Value } from '../../format/model/value.ts';

/**
 * Identifies one version of an attack, so that a trace is not judged against a document that has changed since. It guards
 * against mistakes, not against forgery: a forger could write the whole trace.
 */
export function computeFingerprint(execution: NormalizedExecution): string {
  const text = stringifyJson(execution as unknown as Value);
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 2654435761);
    second = Math.imul(second ^ unit, 1597334677);
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
