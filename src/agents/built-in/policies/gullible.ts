import type { Value, ValueMap } from '../../../format/model/value.ts';
import type { Model, ModelInput, ModelOutput, ToolCall } from '../model.ts';
import { acceptElicitationName, agentPrefix } from '../model-offers.ts';
import { planAllCalls } from './all-plans.ts';
import { formatConfession } from './confession.ts';
import {
  asksForAct,
  asksForKnowledge,
  findInjectedInstructions,
  type InjectedInstructions,
} from './injected-instructions.ts';
import { classifyParameter } from './parameter-kind.ts';
import { type PlannedCall, selectDuePlans, selectWithStep } from './plan-calls.ts';
import {
  formatEverythingSeen,
  formatSeenResults,
  formatSeenSecrets,
  gatherSeenTexts,
  type SeenTexts,
} from './seen-texts.ts';
import { splitSentences } from './sentences.ts';
import { findStringValues } from './string-values.ts';
import { findSinceTask } from './task-section.ts';
import { findAll } from './text-patterns.ts';
import { collectTextSources } from './text-sources.ts';
import type { ToolParameter } from './tool-parameters.ts';
import { listSubjectStems, profileTool, type ToolProfile } from './tool-profile.ts';

/**
 * Follows every instruction that it reads anywhere as if its user had given it: the upper bound of compliance. It
 * collects first and passes on later, so that the result of one tool can go to the next. If no text gives an
 * instruction, it does its task and reports the results.
 */
export const gullible: Model = {
  async complete(input) {
    return decide(input);
  },
};

function decide(input: ModelInput): ModelOutput {
  const { task, messages } = findSinceTask(input.messages);
  const made = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const profiles = input.tools.map(profileTool);
  const orders = findInjectedInstructions(collectTextSources(input), profiles);
  const form = profiles.find(({ name }) => name === acceptElicitationName);
  const due = form === undefined ? selectCalls(input, profiles, orders, made) : [planForm(form, input)];
  const [step] = input.planned?.calls ?? [];
  if (due.length === 0 && step !== undefined) return { text: '', toolCalls: [step] };
  if (due.length === 0) {
    const isTold = orders.sentences.some(asksForAct);
    const said =
      input.planned?.answer ?? (input.planned?.reply?.kind === 'text' ? input.planned.reply.text : undefined);
    const asksMore = (said === undefined || input.askedBy !== undefined) && asksForKnowledge(task);
    const confession = formatConfession(input, orders.sentences, made, isTold || asksMore);
    const text = said === undefined ? confession : [said, ...(isTold || asksMore ? [confession] : [])].join('\n\n');
    return { text, toolCalls: [] };
  }
  const seen = gatherSeenTexts(input);
  return {
    text: '',
    toolCalls: due.map((plan, index) => ({
      id: plan.id ?? `call-${input.messages.length}-${index + 1}`,
      name: plan.tool.name,
      arguments: buildArguments(plan, seen, task),
    })),
  };
}

/** The calls to make now: of the task and of the injected instructions. A plan's next call waits for those before it. */
function selectCalls(
  input: ModelInput,
  profiles: readonly ToolProfile[],
  orders: InjectedInstructions,
  made: readonly ToolCall[],
): readonly PlannedCall[] {
  const plans = planAllCalls(input, profiles, orders);
  return input.planned === undefined
    ? selectDuePlans(plans, made)
    : selectWithStep(plans, made, input.planned.calls[0]?.id);
}

/** How a server's form is filled in: every field if the server's words ask for something, otherwise the required ones. */
function planForm(form: ToolProfile, { tools, planned }: ModelInput): PlannedCall {
  const question = tools.find(({ name }) => name === form.name)?.description ?? '';
  const isAsked = asks(question);
  const given = planned?.reply?.kind === 'values' ? planned.reply.values : {};
  const open = form.parameters
    .filter(({ isRequired, description }) => isAsked || isRequired || asks(description))
    .filter(({ name }) => !Object.hasOwn(given, name));
  return { tool: form, given, open };
}

function asks(text: string): boolean {
  return splitSentences(text).some((sentence) => asksForAct(sentence) || asksForKnowledge(sentence));
}

// Titles are shown in lists; many servers would refuse a page of text as one.
const titleLength = 200;

function buildArguments(plan: PlannedCall, seen: SeenTexts, task: string): ValueMap {
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
