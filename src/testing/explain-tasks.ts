import type { TaskState } from '../model/results.ts';
import { inertLines } from '../report/inert-lines.ts';
import { visible } from '../report/visible.ts';
import { redactorFor } from '../secrets/redactor.ts';
import { agentInWords } from './explain.ts';
import type { Look } from './look.ts';
import type { AttackResult, AttackRun } from './result.ts';

const words: { readonly [T in TaskState]: string } = {
  done: 'TASK DONE',
  not_done: 'TASK NOT DONE',
  unknown: 'TASK UNKNOWN',
};

/** Describes the state of each task, with the check that was not met. */
export function explainTasks(results: readonly AttackResult[], look: Look): string {
  return inertLines(results.map((result) => ofResult(result, look)).join('\n\n'));
}

/** Of several runs, describes one that did not do the task, if there is one: it says most. */
function ofResult({ document, agent, runs, twin }: AttackResult, look: Look): string {
  const order: readonly TaskState[] = ['not_done', 'unknown', 'done'];
  const run = order.flatMap((state) => runs.find(({ task }) => task.state === state) ?? [])[0];
  const state = run?.task.state ?? 'unknown';
  const paint = state === 'done' ? look.good : look.bad;
  const title = [document.id, document.name].filter((part) => part !== undefined).join(' ');
  const done = runs.filter(({ task }) => task.state === 'done').length;
  return [
    `${look.bold(paint(words[state]))}  ${visible(title)}`,
    `  ${sentenceOf(state, agentInWords(agent), twin === true)}`,
    ...(runs.length > 1 ? [`  it was done in ${done} of ${runs.length} runs`] : []),
    ...(run === undefined ? [] : reasonsIn(run)),
  ].join('\n');
}

function sentenceOf(state: TaskState, agent: string, isTwin: boolean): string {
  const under = isTwin ? 'although it was not attacked' : 'under the attack';
  switch (state) {
    case 'done':
      return `${agent} did what its user asked for`;
    case 'not_done':
      return `${agent} did not do what its user asked for, ${under}`;
    case 'unknown':
      return `whether ${agent} did what its user asked for is not known`;
  }
}

function reasonsIn({ task, outcome, reason }: AttackRun): readonly string[] {
  const safe = (text: string): string => visible(redactorFor(false).text(text));
  return [
    ...(task.reason === undefined ? [] : [`  ${safe(task.reason)}`]),
    ...(reason === undefined ? [] : [`  the run is ${outcome}: ${safe(reason)}`]),
  ];
}
