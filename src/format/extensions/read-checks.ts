import { normalize } from '../document/normalize-document.ts';
import type { Document } from '../model/attack-document.ts';
import { disclosureKey, taskKey } from '../model/extension-keys.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../model/normalized.ts';
import { getOwnValue, isValueMap, type Value } from '../model/value.ts';

/** The keys of `attack` that hold checks, and the letter in the ids of each. Checks are written like indicators. */
export const checkLetters = { [taskKey]: 'T', [disclosureKey]: 'D' } as const;

export type CheckKey = keyof typeof checkLetters;

/**
 * The checks that show whether the user's task was done. Undefined if the document has none, or if another tool uses the key
 * for something else: then that cannot be known.
 */
export function readTaskChecks(document: NormalizedDocument): readonly NormalizedIndicator[] | undefined {
  return readChecks(document, taskKey);
}

/** The checks that show whether the agent told its user of the attack; none if the general rule is to decide. */
export function readDisclosureChecks(document: NormalizedDocument): readonly NormalizedIndicator[] {
  return readChecks(document, disclosureKey) ?? [];
}

/** All checks that are evaluated beside the indicators: those of the task, then those of disclosure. */
export function readAllChecks(document: NormalizedDocument): readonly NormalizedIndicator[] {
  return [...(readTaskChecks(document) ?? []), ...readDisclosureChecks(document)];
}

function readChecks(document: NormalizedDocument, key: CheckKey): readonly NormalizedIndicator[] | undefined {
  const checks = listChecks(document, key);
  if (!checks?.every(isCheck)) return undefined;
  // Checks are written like indicators, so they get the same defaults.
  const indicators = checks.map(toModelNames);
  return normalize({ ...document, attack: { ...document.attack, indicators } } as unknown as Document).attack
    .indicators;
}

/** The checks as they are written, each with its id; undefined if they are not a list or there are none. */
export function listChecks({ attack }: NormalizedDocument, key: CheckKey): readonly Value[] | undefined {
  const written = getOwnValue(attack.extensions ?? {}, key);
  if (!Array.isArray(written) || written.length === 0) return undefined;
  return (written as readonly Value[]).map((check, index) =>
    isValueMap(check)
      ? { ...check, id: check.id ?? `${attack.id ?? 'indicator'}-${checkLetters[key]}${index + 1}` }
      : check,
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
