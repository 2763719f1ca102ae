import { findA2aProblems } from '../../agents/adapters/a2a-agent.ts';
import { findAgUiProblems } from '../../agents/adapters/ag-ui-agent.ts';
import { findCommandProblems } from '../../agents/adapters/command-agent.ts';
import { findHttpProblems } from '../../agents/adapters/http-agent.ts';
import type { Target } from '../../agents/adapters/targets.ts';
import type { Path } from '../../format/model/path.ts';
import type { ConfigProblem } from './setting-shape.ts';
import { targetShape } from './target-shape.ts';

/** Problems of targets beyond the shape of each field, as far as they can be found without launching anything. */
export function findTargetsProblems(targets: { readonly [name: string]: Target }): readonly ConfigProblem[] {
  return Object.entries(targets).flatMap(([name, target]) => locateTargetProblems(target, ['targets', name]));
}

/** Every problem of a value that should be a target: those of its fields first, then those of the whole. */
export function checkTarget(value: unknown, path: Path): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  targetShape.check(value, path, (problem) => problems.push(problem));
  return problems.length > 0 ? problems : locateTargetProblems(value as Target, path);
}

/** The first problem, after the name of its field, such as `start.command: there is no program in it`. */
export function findFirstTargetProblem(target: Target): string | undefined {
  return listTargetProblems(target)[0];
}

function locateTargetProblems(target: Target, path: Path): readonly ConfigProblem[] {
  return listTargetProblems(target).map((problem) => locateProblem(problem, target, path));
}

function listTargetProblems(target: Target): readonly string[] {
  if (target.command !== undefined) return findCommandProblems(target);
  if (target.agUi !== undefined) return findAgUiProblems(target);
  if (target.http !== undefined) return findHttpProblems(target);
  return target.a2a !== undefined ? findA2aProblems(target) : [];
}

/** Moves the field from the message to the path, if the target has such a field. */
function locateProblem(problem: string, target: Target, path: Path): ConfigProblem {
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
