import type { Value, ValueMap } from '../../model/value.ts';
import type { ModelInput } from '../model.ts';
import { factsIn } from './facts.ts';
import { supplyOf, valueFromWords } from './fill-arguments.ts';
import { kindOf } from './parameter-kind.ts';
import { emptyValue, type Parameter } from './parameters.ts';

/** Values that the user's words leave open, from the results of earlier steps; orders in the results are not used. */
export function valuesFromResults(
  parameters: readonly Parameter[],
  results: readonly string[],
  { tools }: Pick<ModelInput, 'tools'>,
): ValueMap {
  const facts = results.flatMap((result) => factsIn(result, tools)).join('\n');
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, valueFrom(parameter, facts)]));
}

function valueFrom(parameter: Parameter, facts: string): Value {
  const isText = parameter.type === 'string' && parameter.choices.length === 0;
  if (isText && kindOf(parameter) === 'text') return facts.slice(0, parameter.maxLength);
  const words = { near: facts, far: facts };
  const isNumber = parameter.type === 'number' || parameter.type === 'integer';
  // A word that merely occurs in a result is not a value, but a number may be.
  const found = valueFromWords({ ...parameter, isRequired: isNumber }, words, supplyOf(words));
  return found ?? emptyValue(parameter);
}
