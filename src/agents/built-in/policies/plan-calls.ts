import type { Value, ValueMap } from '../../../format/model/value.ts';
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
