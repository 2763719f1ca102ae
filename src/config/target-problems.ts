import { problemsOfA2a } from '../agent/a2a-agent.ts';
import { problemsOfAgUi } from '../agent/ag-ui-agent.ts';
import { problemsOfCommand } from '../agent/command-agent.ts';
import { problemsOfHttp } from '../agent/http-agent.ts';
import type { Target } from '../agent/targets.ts';
import type { Path } from '../model/path.ts';
import type { ConfigProblem } from './shape.ts';
import { target as targetShape } from './target-shape.ts';

/** Problems of targets beyond the shape of each field, as far as they can be found without launching anything. */
export function problemsOfTargets(targets: { readonly [name: string]: Target }): readonly ConfigProblem[] {
  return Object.entries(targets).flatMap(([name, target]) => problemsIn(target, ['targets', name]));
}

/** Every problem of a value that should be a target: those of its fields first, then those of the whole. */
export function problemsOfTarget(value: unknown, path: Path): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  targetShape.check(value, path, (problem) => problems.push(problem));
  return problems.length > 0 ? problems : problemsIn(value as Target, path);
}

/** The first problem, after the name of its field, such as `start.command: there is no program in it`. */
export function problemOfTarget(target: Target): string | undefined {
  return saidOf(target)[0];
}

function problemsIn(target: Target, path: Path): readonly ConfigProblem[] {
  return saidOf(target).map((problem) => placed(problem, target, path));
}

function saidOf(target: Target): readonly string[] {
  if (target.command !== undefined) return problemsOfCommand(target);
  if (target.agUi !== undefined) return problemsOfAgUi(target);
  if (target.http !== undefined) return problemsOfHttp(target);
  return target.a2a !== undefined ? problemsOfA2a(target) : [];
}

/** Moves the field from the message to the path, if the target has such a field. */
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
