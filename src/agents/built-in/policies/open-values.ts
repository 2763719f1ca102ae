import type { Value, ValueMap } from '../../../format/model/value.ts';
import { agentPrefix } from '../model-offers.ts';
import { classifyParameter } from './parameter-kind.ts';
import type { PlannedCall } from './plan-calls.ts';
import { formatEverythingSeen, formatSeenResults, formatSeenSecrets, type SeenTexts } from './seen-texts.ts';
import { findStringValues } from './string-values.ts';
import { findAll } from './text-patterns.ts';
import type { ToolParameter } from './tool-parameters.ts';
import { listSubjectStems } from './tool-profile.ts';

// Titles are shown in lists; many servers would refuse a page of text as one.
const titleLength = 200;

export function buildArguments(plan: PlannedCall, seen: SeenTexts, task: string): ValueMap {
  const more = plan.tool.name.startsWith(agentPrefix) ? formatEverythingSeen(seen) : formatSeenResults(seen);
  const extended = (plan.extended ?? []).map((name) => [name, appendText(plan.given[name], more)]);
  return {
    ...plan.given,
    ...Object.fromEntries(extended),
    ...fillOpenValues(plan.open, { seen, task, about: listSubjectStems(plan.tool) }),
  };
}

function appendText(given: Value | undefined, more: string): string {
  return more === '' ? String(given) : `${given}\n\n${more}`;
}

interface Known {
  readonly seen: SeenTexts;
  readonly task: string;
  readonly about: ReadonlySet<string>;
}

function fillOpenValues(parameters: readonly ToolParameter[], known: Known): ValueMap {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = fillOpenValue(parameter, known);
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );
}

/** Fills every parameter: a value that no text gives is made from the texts that were read. */
function fillOpenValue(parameter: ToolParameter, known: Known): Value | undefined {
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
      const one = parameter.items === undefined ? undefined : fillOpenValue(parameter.items, known);
      return one === undefined ? [] : [one];
    }
    case 'object':
      return fillOpenValues(parameter.properties, known);
    case 'null':
      return null;
    case 'string':
      return fillOpenText(parameter, known)?.slice(0, parameter.maxLength);
  }
}

function fillOpenText(parameter: ToolParameter, { seen, task, about }: Known): string | undefined {
  const everything = [...seen.results, seen.conversation].join('\n');
  const otherwise = parameter.isRequired ? '' : undefined;
  switch (classifyParameter(parameter)) {
    case 'email':
      return findAll('emails', everything)[0] ?? otherwise;
    case 'url':
      return findAll('uris', everything)[0] ?? otherwise;
    case 'path':
      return findAll('paths', everything)[0] ?? otherwise;
    case 'copy':
      return otherwise;
    case 'id':
      return findStringValues(parameter, { near: task, far: everything, about })[0] ?? otherwise;
    case 'secret':
      return formatSeenSecrets(seen);
    default:
      return /title|subject|name/i.test(parameter.name)
        ? formatEverythingSeen(seen).slice(0, titleLength)
        : formatEverythingSeen(seen);
  }
}
