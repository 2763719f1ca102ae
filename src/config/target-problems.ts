import { problemOfA2a } from '../agent/a2a-agent.ts';
import { problemOfAgUi } from '../agent/ag-ui-agent.ts';
import { problemOfCommand } from '../agent/command-agent.ts';
import { problemOfHttp } from '../agent/http-agent.ts';
import type { Target } from '../agent/targets.ts';
import type { Path } from '../model/path.ts';
import type { ConfigProblem } from './shape.ts';

/** What is wrong with targets beyond the shape of each field, as far as can be told without launching them. */
export function problemsOfTargets(targets: { readonly [name: string]: Target }): readonly ConfigProblem[] {
  return Object.entries(targets).flatMap(([name, target]) => {
    const problem = problemOfTarget(target);
    return problem === undefined ? [] : [placed(problem, target, ['targets', name])];
  });
}

/** The first thing that is wrong, with the field before it, such as `start.command: there is no program in it`. */
export function problemOfTarget(target: Target): string | undefined {
  if ('command' in target) return problemOfCommand(target);
  if ('agUi' in target) return problemOfAgUi(target);
  if ('http' in target) return problemOfHttp(target);
  return 'a2a' in target ? problemOfA2a(target) : undefined;
}

/** The same with the field as a part of its path, as far as the target has such a field. */
function placed(problem: string, target: Target, path: Path): ConfigProblem {
  const [, field = '', rest = ''] = /^([A-Za-z]+(?:\.[\w-]+)*): (.*)$/s.exec(problem) ?? [];
  const names = field.split('.');
  return hasField(target, names) ? { path: [...path, ...names], message: rest } : { path, message: problem };
}

function hasField(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? hasField((value as { readonly [name: string]: unknown })[name], rest)
    : false;
}
