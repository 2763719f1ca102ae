import type { Value, ValueMap } from '../../../format/model/value.ts';
import type { ModelInput } from '../model.ts';
import { createNumberSupply, findValueInWords } from './fill-arguments.ts';
import { findFacts } from './find-facts.ts';
import { classifyParameter } from './parameter-kind.ts';
import { createEmptyValue, type ToolParameter } from './tool-parameters.ts';

/** Values that the user's words leave open, from the results of earlier steps; instructions in them are not used. */
export function findValuesInResults(
  parameters: readonly ToolParameter[],
  results: readonly string[],
  { tools }: Pick<ModelInput, 'tools'>,
): ValueMap {
  const facts = results.flatMap((result) => findFacts(result, tools)).join('\n');
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, findValueInFacts(parameter, facts)]));
}

function findValueInFacts(parameter: ToolParameter, facts: string): Value {
  const isText = parameter.type === 'string' && parameter.choices.length === 0;
  if (isText && classifyParameter(parameter) === 'text') return facts.slice(0, parameter.maxLength);
  const words = { near: facts, far: facts };
  const isNumber = parameter.type === 'number' || parameter.type === 'integer';
  // A word that merely occurs in a result is not a value, but a number may be.
  const found = findValueInWords({ ...parameter, isRequired: isNumber }, words, createNumberSupply(words));
  return found ?? createEmptyValue(parameter);
}
