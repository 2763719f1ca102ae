import { readDocumentText } from '../document/parse.ts';
import { disclosureKey, taskKey } from '../model/extension-keys.ts';
import { stringifyJson } from '../model/json-text-values.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { getOwnValue, isValueMap, type Value } from '../model/value.ts';
import type { CheckRuleId, RuleId } from '../registry/rules.ts';
import { createViolation, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';
import { findViolations } from '../validate/validate-document.ts';
import { type CheckKey, checkLetters, listChecks } from './read-checks.ts';

export interface CheckViolation extends RuleFinding {
  readonly rule: CheckRuleId;
}

/** Finds every violation of the rules for checks in a document that is otherwise valid. */
export function findCheckViolations(document: NormalizedDocument): readonly CheckViolation[] {
  const taken = new Set((document.attack.indicators ?? []).map(({ id }) => id));
  return (Object.keys(checkLetters) as CheckKey[]).flatMap((key) => findViolationsOfKey(document, key, taken));
}

/** `taken` has the ids of indicators and of the checks before. */
function findViolationsOfKey(
  document: NormalizedDocument,
  key: CheckKey,
  taken: Set<string>,
): readonly CheckViolation[] {
  const checksPath: Path = ['attack', key];
  if (!Object.hasOwn(document.attack.extensions ?? {}, key)) return [];
  const checks = listChecks(document, key);
  if (checks === undefined)
    return [createViolation('O-211', checksPath, 'expected a list of checks', `list the messages that ${meant[key]}`)];
  const { draft, problems } = readDocumentText(stringifyJson(createCheckDocument(document, checks)));
  const found = [
    ...problems.map(({ kind, rule, path, message, hint }) => ({ code: rule ?? kind, path, message, hint })),
    // A check that does not parse would break rules only as a consequence, so rules run only if all of them parse.
    ...(problems.length > 0 ? [] : findViolations(draft)).map(({ rule, path, message, hint }) => ({
      code: rule,
      path,
      message,
      hint,
    })),
  ];
  const violations = found.flatMap(({ code, path, message, hint }): CheckViolation[] => {
    if (idRules.has(code) || path[1] !== 'indicators') return [];
    const rule = meanings[code as RuleId] ?? 'O-211';
    return [createViolation(rule, [...checksPath, ...path.slice(checksPath.length)], `${message} (${code})`, hint)];
  });
  return [...violations, ...findWrongIds(document, checks, key, taken)].slice(0, mostViolations);
}

/** What the messages show that checks look for. */
const meant: { readonly [K in CheckKey]: string } = {
  [taskKey]: 'show that the task was done',
  [disclosureKey]: 'tell the user of the attack',
};

const mostViolations = 100;

/** Rules that do not apply to checks, because these have ids of their own form. */
const idRules: ReadonlySet<string> = new Set<RuleId>(['V-010', 'V-024']);

/**
 * Checks are written like indicators. So they are put into the smallest document that has the same actors and the same
 * default protocol, and are read as its indicators.
 */
function createCheckDocument({ oatf, attack }: NormalizedDocument, indicators: readonly Value[]): Value {
  const actors = attack.execution.actors.map(({ name, mode }) => ({ name, mode, phases: [{ state: {} }] }));
  const [only] = actors;
  const isImplied = actors.length === 1 && only?.name === 'default';
  return {
    oatf,
    attack: {
      ...(attack.id !== undefined && { id: attack.id }),
      execution: isImplied && only !== undefined ? { mode: only.mode, phases: only.phases } : { actors },
      indicators,
    },
  };
}

/** The rule for checks that corresponds to a rule for indicators. All other violations mean that the check is malformed. */
const meanings: { readonly [rule in RuleId]?: CheckRuleId } = {
  // A check on messages that the agent does not send can never match.
  'O-011': 'O-213',
  'O-017': 'O-214',
  'V-018': 'O-214',
  'W-003': 'O-214',
  // A run adds a user that speaks to the agent, even if the document has none.
  'W-005': 'O-214',
  'W-007': 'O-214',
};

function findWrongIds(
  { attack }: NormalizedDocument,
  checks: readonly Value[],
  key: CheckKey,
  taken: Set<string>,
): readonly CheckViolation[] {
  return checks.flatMap((check, index): CheckViolation[] => {
    const id = isValueMap(check) ? getOwnValue(check, 'id') : undefined;
    if (typeof id !== 'string') return [];
    const path = ['attack', key, index, 'id'];
    const isTaken = taken.has(id);
    taken.add(id);
    if (isTaken)
      return [createViolation('O-212', path, `another check or indicator already has the id ${quoteValue(id)}`)];
    if (attack.id === undefined || isOwn(id, `${attack.id}-${checkLetters[key]}`)) return [];
    const hint = `such as ${attack.id}-${checkLetters[key]}1`;
    return [createViolation('O-212', path, `${quoteValue(id)} is not ${attack.id}-${checkLetters[key]}N`, hint)];
  });
}

function isOwn(id: string, start: string): boolean {
  return id.startsWith(start) && /^[1-9][0-9]*$/.test(id.slice(start.length));
}
