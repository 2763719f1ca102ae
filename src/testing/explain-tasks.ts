import { disarmCommands } from '../format/model/disarm-commands.ts';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type { TaskState } from '../format/model/results-file.ts';
import { selectRedactor } from '../secrets/redactor.ts';
import { describeAgent } from './explain-result.ts';
import type { MessageColours } from './message-colours.ts';
import type { AttackReport, AttackRun } from './result.ts';

const words: { readonly [T in TaskState]: string } = {
  done: 'TASK DONE',
  not_done: 'TASK NOT DONE',
  unknown: 'TASK UNKNOWN',
};

/** Describes the state of each task, with the check that was not met. */
export function explainTasks(results: readonly AttackReport[], look: MessageColours): string {
  return disarmCommands(results.map((result) => explainTask(result, look)).join('\n\n'));
}

/** Of several runs, describes one that did not do the task, if there is one. */
function explainTask({ document, agent, runs, twin }: AttackReport, look: MessageColours): string {
  const order: readonly TaskState[] = ['not_done', 'unknown', 'done'];
  const run = order.flatMap((state) => runs.find(({ task }) => task === state) ?? [])[0];
  const state = run?.task ?? 'unknown';
  const paint = state === 'done' ? look.good : look.bad;
  const title = [document.id, document.name].filter((part) => part !== undefined).join(' ');
  const done = runs.filter(({ task }) => task === 'done').length;
  return [
    `${look.bold(paint(words[state]))}  ${escapeInvisible(title)}`,
    `  ${formatTaskSentence(state, describeAgent(agent), twin === true)}`,
    ...(runs.length > 1 ? [`  it was done in ${done} of ${runs.length} runs`] : []),
    ...(run === undefined ? [] : formatTaskReasons(run)),
  ].join('\n');
}

function formatTaskSentence(state: TaskState, agent: string, isTwin: boolean): string {
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

function formatTaskReasons({ task_reason, outcome, reason }: AttackRun): readonly string[] {
  const safe = (text: string): string => escapeInvisible(selectRedactor(false).text(text));
  return [
    ...(task_reason === undefined ? [] : [`  ${safe(task_reason)}`]),
    ...(reason === undefined ? [] : [`  the run is ${outcome}: ${safe(reason)}`]),
  ];
}
