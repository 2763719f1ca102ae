import { normalize } from '../document/normalize-document.ts';
import type { Document } from '../model/attack-document.ts';
import { taskKey } from '../model/extension-keys.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../model/normalized.ts';
import { getOwnValue, isValueMap, type Value } from '../model/value.ts';

/**
 * The checks that show whether the user's task was done. Undefined if the document has none, or if another tool uses the key
 * for something else: then that cannot be known.
 */
export function readTaskChecks(document: NormalizedDocument): readonly NormalizedIndicator[] | undefined {
  const checks = listTaskChecks(document);
  if (!checks?.every(isCheck)) return undefined;
  // Checks are written like indicators, so they get the same defaults.
  const indicators = checks.map(toModelNames);
  return normalize({ ...document, attack: { ...document.attack, indicators } } as unknown as Document).attack
    .indicators;
}

/** The entries of `x-task`, each with its id; undefined if it is not a list or is empty. */
export function listTaskChecks({ attack }: NormalizedDocument): readonly Value[] | undefined {
  const written = getOwnValue(attack.extensions ?? {}, taskKey);
  if (!Array.isArray(written) || written.length === 0) return undefined;
  return (written as readonly Value[]).map((check, index) =>
    isValueMap(check) ? { ...check, id: check.id ?? `${attack.id ?? 'indicator'}-T${index + 1}` } : check,
  );
}

function isCheck(check: Value): boolean {
  if (!isValueMap(check)) return false;
  const { id, target, pattern, expression, semantic } = check;
  const methods = [pattern, expression, semantic].filter((method) => isValueMap(method));
  return typeof id === 'string' && typeof target === 'string' && methods.length === 1;
}

/** Renames `intent_class`, the only field that evaluation reads under another name than the document's. */
function toModelNames(check: Value): Value {
  const { semantic } = check as { readonly semantic?: Value };
  if (!isValueMap(semantic)) return check;
  const { intent_class: intentClass, ...rest } = semantic;
  return { ...(check as object), semantic: { ...rest, ...(intentClass !== undefined && { intentClass }) } };
}
