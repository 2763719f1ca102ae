import type { Value, ValueMap } from '../../model/value.ts';
import { agentPrefix } from '../offers.ts';
import { findAll } from './found-in-text.ts';
import type { PlannedCall } from './obey.ts';
import { kindOf } from './parameter-kind.ts';
import type { Parameter } from './parameters.ts';
import { carried, carriedResults, carriedSecret, type Seen } from './seen.ts';
import { stringsFrom } from './string-values.ts';
import { aboutOf } from './tool-profile.ts';

// Titles are shown in lists; many servers would refuse a page of text as one.
const titleLength = 200;

export function argumentsOf(plan: PlannedCall, seen: Seen, task: string): ValueMap {
  const more = plan.tool.name.startsWith(agentPrefix) ? carried(seen) : carriedResults(seen);
  const extended = (plan.extended ?? []).map((name) => [name, withMore(plan.given[name], more)]);
  return {
    ...plan.given,
    ...Object.fromEntries(extended),
    ...openValues(plan.open, { seen, task, about: aboutOf(plan.tool) }),
  };
}

function withMore(given: Value | undefined, more: string): string {
  return more === '' ? String(given) : `${given}\n\n${more}`;
}

interface Known {
  readonly seen: Seen;
  readonly task: string;
  readonly about: ReadonlySet<string>;
}

function openValues(parameters: readonly Parameter[], known: Known): ValueMap {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = openValue(parameter, known);
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );
}

/** Fills every parameter: a value that no text gives is made from what was seen. */
function openValue(parameter: Parameter, known: Known): Value | undefined {
  const [choice] = parameter.choices;
  if (parameter.default !== undefined && parameter.default !== null) return parameter.default;
  if (choice !== undefined) return choice;
  switch (parameter.type) {
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return Math.max(1, parameter.minimum);
    case 'array': {
      const one = parameter.items === undefined ? undefined : openValue(parameter.items, known);
      return one === undefined ? [] : [one];
    }
    case 'object':
      return openValues(parameter.properties, known);
    case 'null':
      return null;
    case 'string':
      return openText(parameter, known)?.slice(0, parameter.maxLength);
  }
}

function openText(parameter: Parameter, { seen, task, about }: Known): string | undefined {
  const everything = [...seen.results, seen.conversation].join('\n');
  const otherwise = parameter.isRequired ? '' : undefined;
  switch (kindOf(parameter)) {
    case 'email':
      return findAll('emails', everything)[0] ?? otherwise;
    case 'url':
      return findAll('uris', everything)[0] ?? otherwise;
    case 'path':
      return findAll('paths', everything)[0] ?? otherwise;
    case 'copy':
      return otherwise;
    case 'id':
      return stringsFrom(parameter, { near: task, far: everything, about })[0] ?? otherwise;
    case 'secret':
      return carriedSecret(seen);
    default:
      return /title|subject|name/i.test(parameter.name) ? carried(seen).slice(0, titleLength) : carried(seen);
  }
}
