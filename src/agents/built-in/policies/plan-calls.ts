import type { Value, ValueMap } from '../../../format/model/value.ts';
import type { ToolCall } from '../model.ts';
import { agentPrefix, promptPrefix, readResourceName } from '../model-offers.ts';
import { type ActionClass, readingActions } from './action-classes.ts';
import { createNumberSupply, findValueInWords, type NumberSupply } from './fill-arguments.ts';
import { classifyParameter, type ParameterKind } from './parameter-kind.ts';
import { findStatedValue, findStringValues, findValuesByForm, type RequestWords } from './string-values.ts';
import type { ToolParameter } from './tool-parameters.ts';
import type { ToolProfile } from './tool-profile.ts';

/** A call with the arguments that the words give; the open ones are filled when it is made. */
export interface PlannedCall {
  readonly tool: ToolProfile;
  readonly given: ValueMap;
  readonly open: readonly ToolParameter[];
  /** Free-text arguments to which texts that were read are added. */
  readonly extended?: readonly string[];
  /** The id of a call of the document's plan. */
  readonly id?: string;
}

const maxValues = 12;
const listable: ReadonlySet<ParameterKind> = new Set(['path', 'url', 'email']);
// Kinds that are left open, so that they can carry texts that were read.
const carrying: ReadonlySet<ParameterKind> = new Set(['text', 'unknown', 'secret']);

/** One plan, or one for each value if the words list several for the same parameter. */
export function planCalls(tool: ToolProfile, words: RequestWords, isReading: boolean): readonly PlannedCall[] {
  const supply = createNumberSupply(words);
  const given: [string, Value][] = [];
  const open: ToolParameter[] = [];
  let listed: { readonly name: string; readonly values: readonly string[] } | undefined;
  for (const parameter of tool.parameters) {
    const values = findParameterValues(parameter, words, supply, isReading);
    const [value] = values;
    if (value === undefined) open.push(parameter);
    else given.push([parameter.name, value]);
    if (values.length > 1) listed ??= { name: parameter.name, values: (values as string[]).slice(0, maxValues) };
  }
  const first = Object.fromEntries(given);
  if (listed === undefined) return [{ tool, given: first, open }];
  const { name, values } = listed;
  return values.map((value) => ({ tool, given: { ...first, [name]: value }, open }));
}

function findParameterValues(
  parameter: ToolParameter,
  words: RequestWords,
  supply: NumberSupply,
  isReading: boolean,
): readonly Value[] {
  const kind = classifyParameter(parameter);
  const isText = parameter.type === 'string' && parameter.choices.length === 0;
  if (isText && carrying.has(kind)) {
    const stated = findStatedValue(parameter, kind, words.near) ?? findStatedValue(parameter, kind, words.far);
    return stated === undefined ? [] : [stated];
  }
  if (isText && listable.has(kind) && parameter.isRequired) {
    const near = findStringValues(parameter, words);
    // A reading tool gets every value that the text lists, not only those of the sentence.
    return isReading ? [...new Set([...near, ...findValuesByForm(parameter, kind, words.far)])] : near;
  }
  const value = findValueInWords(parameter, words, supply);
  return value === undefined ? [] : [value];
}

const maxPerTool = 12;

/** The plans to call next: those of the earliest stage, so that later ones can carry their results. */
export function selectDuePlans(plans: readonly PlannedCall[], made: readonly ToolCall[]): readonly PlannedCall[] {
  const counts = new Map<string, number>();
  for (const { name } of made) counts.set(name, (counts.get(name) ?? 0) + 1);
  const left = dropRepeatedPlans(plans).filter((plan) => {
    const count = counts.get(plan.tool.name) ?? 0;
    const isDone = made.some(({ name, arguments: args }) => name === plan.tool.name && isWithin(plan, args));
    if (isDone || count >= maxPerTool) return false;
    counts.set(plan.tool.name, count + 1);
    return true;
  });
  const first = Math.min(...left.map(findStage));
  return left.filter((plan) => findStage(plan) === first);
}

/**
 * The same if a document's plan gives the user's task. Its calls are made one after the other, each as often as it stands
 * there. What an injected instruction asks for comes before the next of them, unless it belongs to a later stage.
 */
export function selectWithStep(
  plans: readonly PlannedCall[],
  made: readonly ToolCall[],
  nextId: string | undefined,
): readonly PlannedCall[] {
  const next = plans.find(({ id }) => id !== undefined && id === nextId);
  const others = dropRepeatedPlans(plans).filter(({ id }) => id === undefined);
  const due = selectDuePlans(others, made);
  const [first] = due;
  if (next === undefined) return due;
  return first !== undefined && findStage(first) <= findStage(next) ? due : [next];
}

/** Drops a plan if another one for the same tool has all of its arguments. */
function dropRepeatedPlans(plans: readonly PlannedCall[]): readonly PlannedCall[] {
  return plans.filter(
    (plan, index) =>
      !plans.some(
        (other, place) =>
          place !== index &&
          other.tool.name === plan.tool.name &&
          isWithin(plan, other.given) &&
          (place < index || !isWithin(other, plan.given)),
      ),
  );
}

function isWithin({ given, extended = [] }: PlannedCall, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(given).every(([name, value]) =>
    extended.includes(name)
      ? String(values[name]).startsWith(String(value))
      : JSON.stringify(values[name]) === JSON.stringify(value),
  );
}

const gentle: ReadonlySet<ActionClass> = new Set([...readingActions, 'analyze', 'compute']);
const handingOn: ReadonlySet<ActionClass> = new Set(['send', 'submit', 'pay']);

/** The stages: reading tools, reading tools that carry text, tools that change things, tools that pass things on. */
function findStage({ tool, open, extended = [] }: PlannedCall): number {
  if (tool.name === readResourceName || tool.name.startsWith(promptPrefix)) return 0;
  // A call to another agent passes on texts that were read before.
  if (tool.name.startsWith(agentPrefix)) return open.length > 0 || extended.length > 0 ? 3 : 1;
  const actions = [...tool.actions];
  if (actions.some((action) => handingOn.has(action))) return 3;
  if (!actions.every((action) => gentle.has(action))) return 2;
  return extended.length > 0 || open.some(({ type }) => type === 'string') ? 1 : 0;
}
