import type { Value, ValueMap } from '../../model/value.ts';
import { type Supply, supplyOf, valueFromWords } from './fill-arguments.ts';
import { kindOf, type ParameterKind } from './parameter-kind.ts';
import type { Parameter } from './parameters.ts';
import { statedValue, stringsFrom, valuesByForm, type Words } from './string-values.ts';
import type { ToolProfile } from './tool-profile.ts';

/** A call with the arguments that the words give; the open ones are filled when it is made. */
export interface PlannedCall {
  readonly tool: ToolProfile;
  readonly given: ValueMap;
  readonly open: readonly Parameter[];
  /** Free-text arguments to which seen text is added. */
  readonly extended?: readonly string[];
}

const maxValues = 12;
const listable: ReadonlySet<ParameterKind> = new Set(['path', 'url', 'email']);
// Kinds that are left open, so that they can carry seen text.
const carrying: ReadonlySet<ParameterKind> = new Set(['text', 'unknown', 'secret']);

/** One plan, or one for each value if the words list several for the same parameter. */
export function plansFor(tool: ToolProfile, words: Words, isReading: boolean): readonly PlannedCall[] {
  const supply = supplyOf(words);
  const given: [string, Value][] = [];
  const open: Parameter[] = [];
  let listed: { readonly name: string; readonly values: readonly string[] } | undefined;
  for (const parameter of tool.parameters) {
    const values = valuesFor(parameter, words, supply, isReading);
    const [value] = values;
    if (value === undefined) open.push(parameter);
    else given.push([parameter.name, value]);
    if (values.length > 1)
      listed ??= { name: parameter.name, values: (values as string[]).slice(0, maxValues) };
  }
  const first = Object.fromEntries(given);
  if (listed === undefined) return [{ tool, given: first, open }];
  const { name, values } = listed;
  return values.map((value) => ({ tool, given: { ...first, [name]: value }, open }));
}

function valuesFor(parameter: Parameter, words: Words, supply: Supply, isReading: boolean): readonly Value[] {
  const kind = kindOf(parameter);
  const isText = parameter.type === 'string' && parameter.choices.length === 0;
  if (isText && carrying.has(kind)) {
    const stated = statedValue(parameter, kind, words.near) ?? statedValue(parameter, kind, words.far);
    return stated === undefined ? [] : [stated];
  }
  if (isText && listable.has(kind) && parameter.isRequired) {
    const near = stringsFrom(parameter, words);
    // A reading tool gets every value that the text lists, not only those of the sentence.
    return isReading ? [...new Set([...near, ...valuesByForm(parameter, kind, words.far)])] : near;
  }
  const value = valueFromWords(parameter, words, supply);
  return value === undefined ? [] : [value];
}
