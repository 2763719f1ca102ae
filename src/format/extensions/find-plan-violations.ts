import type { NormalizedDocument } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import type { PlannedStep } from '../model/user-plan.ts';
import { isValueMap, toMap, toMaps, type Value } from '../model/value.ts';
import { findSelectorProblem, listPlanReferences } from '../primitives/plan-values.ts';
import { findAgentInterface, userMode } from '../registry/known-modes.ts';
import type { PlanRuleId } from '../registry/rules.ts';
import { createViolation, quoteValue, type RuleFinding, suggestKey } from '../validate/rule-finding.ts';
import { planPath, readWrittenPlan } from './read-plan.ts';

export interface PlanViolation extends RuleFinding {
  readonly rule: PlanRuleId;
}

const mostViolations = 100;

/** Finds what is wrong with the plan of a document that is otherwise valid. The SDK's `validate` leaves the key alone. */
export function findPlanViolations(document: NormalizedDocument): readonly PlanViolation[] {
  const { steps, findings } = readWrittenPlan(document);
  if (steps.size === 0) return findings.slice(0, mostViolations);
  return [
    ...findings,
    ...[...steps].flatMap(([index, step]) => [
      ...findMissingOffer(step, [...planPath, index], document),
      ...findValueFlaws(step, [...planPath, index], index, steps),
    ]),
    ...findMisplacedSteps(steps),
    ...(findings.length === 0 ? findTurnMismatch([...steps.values()], document) : []),
  ].slice(0, mostViolations);
}

/** The lists of a server's state, by what a step calls, and the field that names an entry. */
const lists = {
  tool: ['tools', 'name'],
  resource: ['resources', 'uri'],
  prompt: ['prompts', 'name'],
} as const;

/** Finds a step that calls what no phase of its actor offers. */
export function findMissingOffer(
  step: PlannedStep,
  path: Path,
  document: NormalizedDocument,
): readonly PlanViolation[] {
  const { actors } = document.attack.execution;
  if (step.kind === 'frontend') {
    const inputs = actors
      .filter(({ mode }) => mode === userMode)
      .flatMap(({ phases }) => phases.map(readRunAgentInput));
    const tools = inputs.flatMap((input) => listNames(input.tools, 'name'));
    return checkOffered(step.tool, tools, [...path, 'frontend', 'tool'], 'the user’s application has no tool');
  }
  if (step.kind !== 'call') return [];
  const [list, field] = lists[step.of];
  const states = actors.find(({ name }) => name === step.actor)?.phases.map(({ state }) => toMap(state)) ?? [];
  // Any URI may fit a template, and a value of an earlier step may be any.
  const isOpen = step.of === 'resource' && states.some((state) => state.resource_templates !== undefined);
  if (isOpen || step.name.includes('{{')) return [];
  const names = states.flatMap((state) => listNames(state[list], field));
  return checkOffered(step.name, names, [...path, 'call', step.of], `${step.actor} has no ${step.of}`);
}

function checkOffered(name: string, names: readonly string[], path: Path, message: string): readonly PlanViolation[] {
  if (names.includes(name)) return [];
  return [createViolation('O-282', path, `${message} ${quoteValue(name)}`, suggestKey(name, names))];
}

function listNames(list: Value | undefined, field: string): readonly string[] {
  return toMaps(list).flatMap((entry) => (typeof entry[field] === 'string' ? [entry[field]] : []));
}

function readRunAgentInput({ state }: { readonly state?: Value }) {
  return toMap(toMap(state).run_agent_input);
}

/** Finds values of steps that are not earlier, and selectors that do not compile. */
function findValueFlaws(
  step: PlannedStep,
  path: Path,
  index: number,
  steps: ReadonlyMap<number, PlannedStep>,
): readonly PlanViolation[] {
  return [...listPlanReferences(step as unknown as Value)].flatMap((part): readonly PlanViolation[] => {
    if (part.kind === 'wrong')
      return [
        createViolation(
          'O-283',
          path,
          `${quoteValue(part.written)} is no value of a step`,
          'write {{1:$.path}} or {{1:/regex/}}; for braces as such, \\{{',
        ),
      ];
    const { from, selector, written } = part.reference;
    const number = /^[1-9][0-9]{0,2}$/.test(from) ? Number(from) : undefined;
    if (number === undefined || number > index)
      return [
        createViolation(
          'O-283',
          path,
          `${quoteValue(written)} refers to no earlier step`,
          `this is step ${index + 1}; the first step is 1`,
        ),
      ];
    const earlier = steps.get(number - 1);
    if (earlier !== undefined && !hasResult(earlier))
      return [createViolation('O-283', path, `${quoteValue(written)} refers to a step that has no result`)];
    const problem = findSelectorProblem(selector);
    return problem === undefined ? [] : [createViolation('O-283', path, `${quoteValue(written)}: ${problem}`)];
  });
}

function hasResult({ kind, ...step }: PlannedStep): boolean {
  if (kind === 'wait') return 'for' in step && step.for === 'push';
  return kind === 'call' || kind === 'send' || kind === 'frontend';
}

/** An answer needs the call during which its question comes, and an approval the question that it answers. */
function findMisplacedSteps(steps: ReadonlyMap<number, PlannedStep>): readonly PlanViolation[] {
  return [...steps].flatMap(([index, step]): readonly PlanViolation[] => {
    const before = steps.get(index - 1);
    // The step before is wrong itself.
    if (index > 0 && before === undefined) return [];
    if (step.kind === 'answer' && before?.kind !== 'call' && before?.kind !== 'answer')
      return [
        createViolation(
          'O-281',
          [...planPath, index],
          'there is no call before this answer',
          'an answer stands directly behind the call during which a server asks',
        ),
      ];
    if (step.kind === 'resume' && !(before?.kind === 'ask' && before.interrupt !== undefined))
      return [
        createViolation(
          'O-281',
          [...planPath, index],
          'there is no question with an interrupt before this step',
          'write { ask: { text: Shall I?, interrupt: {} } } before it',
        ),
      ];
    return [];
  });
}

/** Compares the turns of the plan with the messages that the document's user sends. */
function findTurnMismatch(steps: readonly PlannedStep[], { attack }: NormalizedDocument): readonly PlanViolation[] {
  const { actors } = attack.execution;
  const users = actors.filter(({ mode }) => mode === userMode);
  // Actors that call the agent over another of its interfaces speak in ways that are not counted here.
  if (actors.some(({ mode }) => mode !== userMode && findAgentInterface(mode) !== undefined)) return [];
  const own = users.flatMap(({ phases }) => phases.filter(({ state }) => isValueMap(state)));
  const messages = users.length === 0 ? 1 : own.length;
  const ends = steps.filter(({ kind }) => kind === 'say' || kind === 'ask').length;
  const last = steps.at(-1)?.kind;
  const turns = last === 'say' || last === 'ask' ? ends : ends + 1;
  // An interrupt may be answered within the same phase.
  const fewest = turns - steps.filter((step) => step.kind === 'ask' && step.interrupt !== undefined).length;
  if (messages >= fewest && messages <= turns) return [];
  return [
    createViolation(
      'O-284',
      planPath,
      `the plan has ${turns} ${turns === 1 ? 'turn' : 'turns'}, and the user sends ${messages}`,
      '`say` and `ask` end a turn; each phase with a run input begins one',
    ),
  ];
}
