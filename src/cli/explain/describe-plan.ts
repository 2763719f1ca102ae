import { readDocumentPlan } from '../../format/extensions/read-plan.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { PlannedAnswer, PlannedStep } from '../../format/model/user-plan.ts';
import { failUnreachable, type Value } from '../../format/model/value.ts';
import { formatLabelledRow, type Page } from '../terminal/page.ts';
import { quoteBriefly } from './describe-parts.ts';

/** The user's task, step by step; empty if the document does not say how it is done. */
export function describePlan(document: NormalizedDocument, page: Page): readonly string[] {
  const steps = readDocumentPlan(document);
  if (steps === undefined) return [];
  const head = `${page.colours.bold("The user's task, step by step")}\n`;
  return [
    head + steps.map((step, index) => formatLabelledRow(`${index + 1}.`, describeStep(step), page, '  ')).join(''),
  ];
}

function describeStep(step: PlannedStep): string {
  switch (step.kind) {
    case 'call':
      return `${step.actor}: ${step.of} ${step.name}${describeArguments(step.arguments)}`;
    case 'send':
      return `${step.actor}: send ${quoteBriefly(step.message)}`;
    case 'frontend':
      return `the application: tool ${step.tool}${describeArguments(step.arguments)}`;
    case 'answer':
      return `if asked: ${describeAnswer(step.answer)}`;
    case 'ask':
      return `ask the user ${quoteBriefly(step.text)}${step.interrupt === undefined ? '' : ', by an interrupt'}`;
    case 'resume':
      return 'go on if the user has approved it';
    case 'wait':
      return step.for === 'push' ? 'wait for the report on the task' : 'wait for changed lists';
    case 'session':
      return 'connect again, in a new session';
    case 'say':
      return `say ${quoteBriefly(step.text)}`;
    default:
      return failUnreachable(step);
  }
}

function describeArguments(args: Value): string {
  return Object.keys(args as object).length === 0 ? '' : ` with ${quoteBriefly(args)}`;
}

function describeAnswer(answer: PlannedAnswer): string {
  switch (answer.kind) {
    case 'values':
      return `accept with ${quoteBriefly(answer.values)}`;
    case 'text':
      return `answer ${quoteBriefly(answer.text)}`;
    case 'decline':
      return 'decline';
  }
}
