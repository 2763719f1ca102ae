import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { deepEquals } from '../../primitives/deep-equals.ts';
import { brief, predicateInWords, quote } from './words.ts';

/** A value that a phase presents to the agent: its kind and its text. */
export interface Presented {
  readonly kind: string;
  readonly text: string;
  /** The change from the phase before. */
  readonly change?: 'new' | 'changed';
}

type Presenter = (value: Value, before: Value | undefined) => readonly Presented[];

const items =
  (kind: string, key: string, text: (item: ValueMap) => string): Presenter =>
  (value, before) => {
    const earlier = mapsOf(before);
    return mapsOf(value).map((item) => {
      const same = earlier.find((other) => other[key] === item[key]);
      const change = same === undefined ? 'new' : deepEquals(same, item) ? undefined : 'changed';
      return { kind, text: text(item), ...(before !== undefined && change !== undefined && { change }) };
    });
  };

const one =
  (kind: string, text: (value: Value) => string): Presenter =>
  (value, before) => [
    {
      kind,
      text: text(value),
      ...(before !== undefined && !deepEquals(before, value) && { change: 'changed' as const }),
    },
  ];

/** The keys of `state` that the bindings define, in words (format spec §7). */
const presenters: { readonly [key: string]: Presenter } = {
  protocol_version: one('protocol version', quote),
  server_info: one('server', named),
  client_info: one('client', named),
  instructions: one('instructions', quote),
  capabilities: one('capabilities', (value) =>
    isValueMap(value) ? Object.keys(value).join(', ') : quote(value),
  ),
  tools: items('tool', 'name', (tool) => `${named(tool)}${answers(tool)}`),
  resources: items('resource', 'uri', (resource) => {
    const { uri, content } = resource;
    const read = content === undefined ? '' : `; reads ${quote(textIn(content) ?? content)}`;
    return `${String(uri ?? '')} ${named(resource)}${read}`.trim();
  }),
  resource_templates: items('resource template', 'uriTemplate', (template) =>
    `${String(template.uriTemplate ?? '')} ${named(template)}`.trim(),
  ),
  prompts: items('prompt', 'name', (prompt) => `${named(prompt)}${answers(prompt)}`),
  elicitations: items(
    'elicitation',
    'message',
    ({ message }) => `asks ${quote(message ?? '')} during a call`,
  ),
  sampling_requests: items(
    'sampling request',
    'messages',
    ({ messages }) => `asks for ${quote(messages ?? [])}`,
  ),
  logging: items('log message', 'data', ({ data }) => quote(data ?? '')),
  progress: items('progress', 'values', ({ values }) => quote(values ?? [])),
  actions: items(
    'request',
    'method',
    ({ method, params }) => `${String(method ?? '')}${params === undefined ? '' : ` ${quote(params)}`}`,
  ),
  agent_card: one('agent card', (card) => `${named(card)}${skillsIn(card)}`),
  task_responses: items('task response', 'when', answer),
  run_agent_input: (value, before) => [
    ...messagesIn(value).map(({ role, content }) => ({
      kind: `${String(role ?? 'user')}'s message`,
      text: quote(content ?? ''),
      ...(before !== undefined && { change: 'new' as const }),
    })),
    ...toolsIn(value).map((tool) => ({ kind: 'tool of the user', text: named(tool) })),
    ...besidesIn(value),
  ],
  tool_responses: items('tool result', 'when', answer),
};

const inputInWords: { readonly [key: string]: string } = { forwardedProps: 'forwarded properties' };
const plain = new Set(['threadId', 'runId', 'parentRunId', 'messages', 'tools']);

/** The data that an application passes to its agent apart from the conversation; an attack may be in it. */
function besidesIn(input: Value): readonly Presented[] {
  return Object.entries(isValueMap(input) ? input : {}).flatMap(([key, value]) => {
    if (plain.has(key) || isEmpty(value)) return [];
    const kind = inputInWords[key] ?? key;
    if (key !== 'context') return [{ kind, text: quote(value) }];
    return mapsOf(value).map((item) => ({
      kind,
      text: `${String(item.description ?? '')}: ${quote(item.value ?? '')}`,
    }));
  });
}

function isEmpty(value: Value): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** The values that the state of a phase presents, compared with the state before it. */
export function presentedBy(state: Value | undefined, before: Value | undefined): readonly Presented[] {
  if (!isValueMap(state)) return state === undefined ? [] : [{ kind: 'state', text: quote(state) }];
  const earlier = isValueMap(before) ? before : undefined;
  return Object.entries(state).flatMap(([key, value]) => {
    const present = Object.hasOwn(presenters, key) ? presenters[key] : one(key, quote);
    const previous = earlier === undefined ? undefined : (earlier[key] ?? []);
    return present?.(value, previous) ?? [];
  });
}

function named(value: Value): string {
  if (!isValueMap(value)) return quote(value);
  const { name, description } = value;
  const said = description === undefined ? '' : `: ${brief(String(description), 400)}`;
  return `${String(name ?? '')}${said}`;
}

function answers({ responses }: ValueMap): string {
  return mapsOf(responses)
    .map((response) => `; answers ${answer(response)}`)
    .join('');
}

/** An answer, and the condition under which it is given. */
function answer({ when, content, messages, status, ...rest }: ValueMap): string {
  const said = content ?? messages ?? rest;
  const text = textIn(said);
  const asked = isValueMap(when) ? ` when ${predicateInWords(when)}` : '';
  return `${text === undefined ? quote(said) : quote(text)}${asked}`;
}

function skillsIn(card: Value): string {
  const skills = isValueMap(card) ? mapsOf(card.skills) : [];
  const list = skills.map(({ name, id }) => String(name ?? id ?? '')).join(', ');
  return list === '' ? '' : `; skills ${list}`;
}

function messagesIn(input: Value): readonly ValueMap[] {
  return isValueMap(input) ? mapsOf(input.messages) : [];
}

function toolsIn(input: Value): readonly ValueMap[] {
  return isValueMap(input) ? mapsOf(input.tools) : [];
}

/** The texts of a content, if it has any. */
function textIn(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const texts = value.map((item: Value) => textIn(item)).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.join(' ');
  }
  return isValueMap(value) ? textIn(value.text ?? value.content ?? value.parts ?? value.messages) : undefined;
}

function mapsOf(value: Value | undefined): readonly ValueMap[] {
  return Array.isArray(value) ? value.filter(isValueMap) : [];
}
