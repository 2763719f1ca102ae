import { read } from '../document/parse.ts';
import { stringifyJson } from '../model/json.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { isValueMap, ownValue, type Value } from '../model/value.ts';
import { taskKey } from '../registry/fields.ts';
import type { RuleId, TaskRuleId } from '../registry/rules.ts';
import { at, type Finding, shown } from '../validate/rule.ts';
import { findViolations } from '../validate/validate.ts';
import { checksIn } from './read-task.ts';

/** Where the checks of the user's task stand in a document. */
const taskPath: Path = ['attack', taskKey];

export interface TaskViolation extends Finding {
  readonly rule: TaskRuleId;
}

/** Everything that is wrong or odd about the checks of a document that is valid otherwise. */
export function findTaskViolations(document: NormalizedDocument): readonly TaskViolation[] {
  if (!Object.hasOwn(document.attack.extensions ?? {}, taskKey)) return [];
  const checks = checksIn(document);
  if (checks === undefined)
    return [
      {
        rule: 'O-211',
        ...at(taskPath, 'expected a list of checks', 'say how one knows that the task was done'),
      },
    ];
  const { draft, problems } = read(stringifyJson(documentWith(document, checks)));
  const found = [
    ...problems.map(({ kind, rule, path, message, hint }) => ({ code: rule ?? kind, path, message, hint })),
    // What does not parse breaks rules for no fault of its own.
    ...(problems.length > 0 ? [] : findViolations(draft)).map(({ rule, path, message, hint }) => ({
      code: rule,
      path,
      message,
      hint,
    })),
  ];
  const violations = found.flatMap(({ code, path, message, hint }): TaskViolation[] => {
    if (idRules.has(code) || path[1] !== 'indicators') return [];
    const rule = meanings[code as RuleId] ?? 'O-211';
    return [{ rule, ...at([...taskPath, ...path.slice(taskPath.length)], `${message} (${code})`, hint) }];
  });
  return [...violations, ...wrongIds(document, checks)].slice(0, mostViolations);
}

const mostViolations = 100;

/** Rules that mean something else for checks, which have ids of their own kind. */
const idRules: ReadonlySet<string> = new Set<RuleId>(['V-010', 'V-024']);

/**
 * Checks are written like indicators, so they are read as those of the smallest document that says about them what the
 * whole one does: who is there, and which protocol is meant.
 */
function documentWith({ oatf, attack }: NormalizedDocument, indicators: readonly Value[]): Value {
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

/** What a rule for indicators means for a check, where that is not simply that it is written wrongly. */
const meanings: { readonly [rule in RuleId]?: TaskRuleId } = {
  // A check that looks where the agent says nothing is never met.
  'O-011': 'O-213',
  'V-018': 'O-214',
  'W-003': 'O-214',
  // A user speaks to the agent even where the document has none.
  'W-005': 'O-214',
  'W-007': 'O-214',
};

function wrongIds({ attack }: NormalizedDocument, checks: readonly Value[]): readonly TaskViolation[] {
  const taken = new Set((attack.indicators ?? []).map(({ id }) => id));
  return checks.flatMap((check, index): TaskViolation[] => {
    const id = isValueMap(check) ? ownValue(check, 'id') : undefined;
    if (typeof id !== 'string') return [];
    const path = [...taskPath, index, 'id'];
    const isTaken = taken.has(id);
    taken.add(id);
    if (isTaken) return [{ rule: 'O-212', ...at(path, `${shown(id)} is the id of another one already`) }];
    if (attack.id === undefined || isOwn(id, attack.id)) return [];
    return [{ rule: 'O-212', ...at(path, `${shown(id)} is not ${attack.id}-TN`, `such as ${attack.id}-T1`) }];
  });
}

function isOwn(id: string, attackId: string): boolean {
  return id.startsWith(`${attackId}-`) && /^T[1-9][0-9]*$/.test(id.slice(attackId.length + 1));
}
