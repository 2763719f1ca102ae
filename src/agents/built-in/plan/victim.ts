import type { Regex } from '../../../format/expression/regex.ts';
import { isEvaluationError } from '../../../format/model/errors.ts';
import { findAt, parsePointer } from '../../../format/model/pointer.ts';
import type { PlannedStep } from '../../../format/model/user-plan.ts';
import type { Value, ValueMap } from '../../../format/model/value.ts';
import { formatCompactJson } from '../../../format/primitives/compact-json.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';
import type { AgentSurvey } from '../a2a-survey.ts';
import type { Survey } from '../mcp-survey.ts';
import type { ChatMessage } from '../model.ts';

/** An agent that falls for one thing: it follows the plan and, once that reached it, makes further steps. */
export interface Victim {
  readonly name: string;
  readonly when: VictimTrigger;
  readonly steps: readonly PlannedStep[];
  /** The number of the plan's step in whose place it makes its own. Default: it makes them at once. */
  readonly instead?: number | undefined;
}

/** What a victim falls for. */
export type VictimTrigger =
  /** A text that it reads. */
  | { readonly kind: 'read'; readonly pattern: Regex }
  /** A value in the input schema of a tool. */
  | {
      readonly kind: 'schema';
      readonly of: ListedTool;
      readonly at: string;
      readonly pattern: Regex | undefined;
    }
  /** Annotations of a tool. */
  | { readonly kind: 'annotation'; readonly of: ListedTool; readonly has: ValueMap }
  /** The base64 text of an image. */
  | { readonly kind: 'image'; readonly pattern: Regex };

/** The tool that a trigger looks at; any, if it names none. */
interface ListedTool {
  readonly actor?: string | undefined;
  readonly tool?: string | undefined;
}

/** Everything that has reached an agent. */
export interface Reached {
  readonly surveys: readonly Survey[];
  readonly others: readonly AgentSurvey[];
  readonly application: string;
  readonly messages: readonly ChatMessage[];
  readonly images: readonly string[];
}

/** Remembers what has reached a victim, until it acts. */
export class VictimWatch {
  readonly #trigger: VictimTrigger;
  #reached: Reached = { surveys: [], others: [], application: '', messages: [], images: [] };
  #hasActed = false;

  constructor({ when }: Victim) {
    this.#trigger = when;
  }

  /** Takes what has reached the victim since the last time. Returns the text by which it acts; it acts only once. */
  take({ images = [], ...reached }: Partial<Reached>): string | undefined {
    if (this.#hasActed) return undefined;
    this.#reached = { ...this.#reached, ...reached, images: [...this.#reached.images, ...images] };
    const text = findTrigger(this.#trigger, this.#reached);
    this.#hasActed = text !== undefined;
    return text;
  }
}

/** The text by which a trigger holds; undefined if it does not. */
function findTrigger(trigger: VictimTrigger, reached: Reached): string | undefined {
  switch (trigger.kind) {
    case 'read':
      return listTexts(reached).find((text) => matches(trigger.pattern, text));
    case 'image':
      return [...reached.images, reached.application].find((data) => matches(trigger.pattern, data));
    case 'schema': {
      const { at, pattern } = trigger;
      const found = listTools(reached, trigger.of).map(({ inputSchema }) =>
        findAt(inputSchema, parsePointer(at) ?? []),
      );
      const texts = found.flatMap((value) => (value === undefined ? [] : [toText(value)]));
      return texts.find((text) => pattern === undefined || matches(pattern, text));
    }
    case 'annotation': {
      const wanted = Object.entries(trigger.has);
      const tool = listTools(reached, trigger.of).find(({ annotations = {} }) =>
        wanted.every(([key, value]) => isDeepEqual(annotations[key] ?? null, value)),
      );
      return tool?.name;
    }
  }
}

function listTools({ surveys }: Reached, { actor, tool }: ListedTool): Survey['tools'] {
  return surveys
    .filter(({ server }) => actor === undefined || server === actor)
    .flatMap(({ tools }) => tools)
    .filter(({ name }) => tool === undefined || name === tool);
}

/** The texts of lists, cards, the application and the conversation, each by itself. */
function listTexts({ surveys, others, application, messages }: Reached): readonly string[] {
  return [
    ...surveys.flatMap(({ instructions, info, tools, resources, prompts }) => [
      instructions,
      toText(info ?? {}),
      ...tools.flatMap(({ name, description, inputSchema }) => [name, description, toText(inputSchema)]),
      ...resources.flatMap((resource) => [resource.uri, resource.name, resource.description]),
      ...prompts.flatMap((prompt) => [
        prompt.name,
        prompt.description,
        ...prompt.arguments.map(({ description }) => description),
      ]),
    ]),
    ...others.map(({ card = {} }) => toText(card)),
    application,
    ...messages.map(({ content }) => content),
  ];
}

function toText(value: Value): string {
  return typeof value === 'string' ? value : formatCompactJson(value, 'own');
}

/** A search that takes too many steps has found nothing. */
function matches(pattern: Regex, text: string): boolean {
  const found = pattern.test(text);
  return !isEvaluationError(found) && found;
}
