import { normalize } from '../document/normalize.ts';
import { read } from '../document/parse.ts';
import type { Document } from '../model/document.ts';
import { stringifyJson } from '../model/json.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { isValueMap, ownValue, type Value } from '../model/value.ts';
import { remembering } from '../primitives/remembering.ts';
import { taskKey } from '../registry/fields.ts';
import type { RuleId, TaskRuleId } from '../registry/rules.ts';
import { at, type Finding, shown } from '../validate/rule.ts';
import { findViolations } from '../validate/validate.ts';

/** Where the checks of the user's task stand in a document. */
const taskPath: Path = ['attack', taskKey];

export interface TaskViolation extends Finding {
  readonly rule: TaskRuleId;
}

export interface TaskReading {
  readonly checks: readonly NormalizedIndicator[];
  readonly violations: readonly TaskViolation[];
}

/**
 * The checks that tell whether the user's task was done. A document without any, and one in which another tool has put
 * something else under the key, gives nothing: whether its task was done cannot be known.
 */
export function taskOf(document: NormalizedDocument): readonly NormalizedIndicator[] | undefined {
  const { checks, violations } = readTask(document);
  return checks.length > 0 && violations.every(({ rule }) => rule === 'O-214') ? checks : undefined;
}

/** Checks are written like indicators, so they are read as those of a document that has no others. */
export const readTask = remembering((document: NormalizedDocument): TaskReading => {
  const { attack } = document;
  const written = ownValue(attack.extensions ?? {}, taskKey);
  if (written === undefined) return { checks: [], violations: [] };
  if (!Array.isArray(written) || written.length === 0)
    return {
      checks: [],
      violations: [
        {
          rule: 'O-211',
          ...at(taskPath, 'expected a list of checks', 'say how one knows that the task was done'),
        },
      ],
    };
  const items = (written as readonly Value[]).map((check, index) => named(check, index, attack.id));
  const { draft, problems } = read(stringifyJson(asIndicators(document, items)));
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
    const rule = meanings[code as RuleId] ?? 'O-211';
    if (rule === 'elsewhere' || path[1] !== 'indicators') return [];
    return [
      { rule, ...at([...taskPath, ...path.slice(indicatorsPath.length)], `${message} (${code})`, hint) },
    ];
  });
  const wrong = [...violations, ...wrongIds(document, items)].slice(0, mostViolations);
  const isReadable = !wrong.some(({ rule }) => rule === 'O-211');
  return {
    checks: isReadable ? (normalize(draft as Document).attack.indicators ?? []) : [],
    violations: wrong,
  };
});

const mostViolations = 100;
const indicatorsPath: Path = ['attack', 'indicators'];

/** What a rule for indicators means for a check, where that is not simply that it is written wrongly. */
const meanings: { readonly [rule in RuleId]?: TaskRuleId | 'elsewhere' } = {
  // Checks have ids of their own kind.
  'V-010': 'elsewhere',
  'V-024': 'elsewhere',
  // A check that looks where the agent says nothing is never met.
  'O-011': 'O-213',
  'V-018': 'O-214',
  'W-003': 'O-214',
  // A user speaks to the agent even where the document has none.
  'W-005': 'O-214',
  'W-007': 'O-214',
};

function named(check: Value, index: number, attackId: string | undefined): Value {
  if (!isValueMap(check) || (ownValue(check, 'id') ?? null) !== null) return check;
  return { ...check, id: `${attackId ?? 'indicator'}-T${index + 1}` };
}

/** The smallest document that says about checks what the whole one does: who is there, and which protocol is meant. */
function asIndicators({ oatf, attack }: NormalizedDocument, checks: readonly Value[]): Value {
  const actors = attack.execution.actors.map(({ name, mode }) => ({ name, mode, phases: [{ state: {} }] }));
  const [only] = actors;
  const isImplied = actors.length === 1 && only?.name === 'default';
  return {
    oatf,
    attack: {
      ...(attack.id !== undefined && { id: attack.id }),
      execution: isImplied && only !== undefined ? { mode: only.mode, phases: only.phases } : { actors },
      indicators: checks,
    },
  };
}

function wrongIds({ attack }: NormalizedDocument, checks: readonly Value[]): readonly TaskViolation[] {
  const taken = new Set((attack.indicators ?? []).map(({ id }) => id));
  return checks.flatMap((check, index): TaskViolation[] => {
    const id = isValueMap(check) ? ownValue(check, 'id') : undefined;
    if (typeof id !== 'string') return [];
    const path = [...taskPath, index, 'id'];
    const isTaken = taken.has(id);
    taken.add(id);
    if (isTaken) return [{ rule: 'O-212', ...at(path, `${shown(id)} is the id of another one already`) }];
    const suffix = attack.id === undefined ? 'T1' : id.slice(`${attack.id}-`.length);
    const isOwn = attack.id === undefined || id.startsWith(`${attack.id}-`);
    if (isOwn && /^T[1-9][0-9]*$/.test(suffix)) return [];
    return [{ rule: 'O-212', ...at(path, `${shown(id)} is not ${attack.id}-TN`, `such as ${attack.id}-T1`) }];
  });
}
