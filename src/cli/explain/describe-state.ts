import { isValueMap, toMaps, type Value, type ValueMap } from '../../format/model/value.ts';
import { isDeepEqual } from '../../format/primitives/deep-equals.ts';
import { describePredicate, quoteBriefly, shortenToLine } from './describe-parts.ts';

/** A value that a phase presents to the agent: its kind and its text. */
export interface PresentedItem {
  readonly kind: string;
  readonly text: string;
  readonly change?: 'new' | 'changed';
}

type Presenter = (value: Value, before: Value | undefined) => readonly PresentedItem[];

const presentItems =
  (kind: string, key: string, text: (item: ValueMap) => string): Presenter =>
  (value, before) => {
    const earlier = toMaps(before);
    return toMaps(value).map((item) => {
      const same = earlier.find((other) => other[key] === item[key]);
      const change = same === undefined ? 'new' : isDeepEqual(same, item) ? undefined : 'changed';
      return { kind, text: text(item), ...(before !== undefined && change !== undefined && { change }) };
    });
  };

const presentOne =
  (kind: string, text: (value: Value) => string): Presenter =>
  (value, before) => [
    {
      kind,
      text: text(value),
      ...(before !== undefined && !isDeepEqual(before, value) && { change: 'changed' as const }),
    },
  ];

/** The keys of `state` that the bindings define, in words (format spec §7). */
const presenters: { readonly [key: string]: Presenter } = {
  protocol_version: presentOne('protocol version', quoteBriefly),
  server_info: presentOne('server', formatNamed),
  client_info: presentOne('client', formatNamed),
  instructions: presentOne('instructions', quoteBriefly),
  capabilities: presentOne('capabilities', (value) =>
    isValueMap(value) ? Object.keys(value).join(', ') : quoteBriefly(value),
  ),
  tools: presentItems('tool', 'name', (tool) => `${formatNamed(tool)}${formatAnswers(tool)}`),
  resources: presentItems('resource', 'uri', (resource) => {
    const { uri, content } = resource;
    const read = content === undefined ? '' : `; reads ${quoteBriefly(joinContentTexts(content) ?? content)}`;
    return `${String(uri ?? '')} ${formatNamed(resource)}${read}`.trim();
  }),
  resource_templates: presentItems('resource template', 'uriTemplate', (template) =>
    `${String(template.uriTemplate ?? '')} ${formatNamed(template)}`.trim(),
  ),
  prompts: presentItems('prompt', 'name', (prompt) => `${formatNamed(prompt)}${formatAnswers(prompt)}`),
  elicitations: presentItems(
    'elicitation',
    'message',
    ({ message }) => `asks ${quoteBriefly(message ?? '')} during a call`,
  ),
  sampling_requests: presentItems(
    'sampling request',
    'messages',
    ({ messages }) => `asks for ${quoteBriefly(messages ?? [])}`,
  ),
  logging: presentItems('log message', 'data', ({ data }) => quoteBriefly(data ?? '')),
  progress: presentItems('progress', 'values', ({ values }) => quoteBriefly(values ?? [])),
  actions: presentItems(
    'request',
    'method',
    ({ method, params }) => `${String(method ?? '')}${params === undefined ? '' : ` ${quoteBriefly(params)}`}`,
  ),
  agent_card: presentOne('agent card', (card) => `${formatNamed(card)}${formatSkills(card)}`),
  task_responses: presentItems('task response', 'when', answer),
  run_agent_input: (value, before) => [
    ...listMessages(value).map(({ role, content }) => ({
      kind: `${String(role ?? 'user')}'s message`,
      text: quoteBriefly(content ?? ''),
      ...(before !== undefined && { change: 'new' as const }),
    })),
    ...listTools(value).map((tool) => ({ kind: 'tool of the user', text: formatNamed(tool) })),
    ...describeApplicationData(value),
  ],
  tool_responses: presentItems('tool result', 'when', answer),
};

const inputInWords: { readonly [key: string]: string } = { forwardedProps: 'forwarded properties' };
const plain = new Set(['threadId', 'runId', 'parentRunId', 'messages', 'tools']);

/** The data that an application passes to its agent apart from the conversation; an attack may be in it. */
function describeApplicationData(input: Value): readonly PresentedItem[] {
  return Object.entries(isValueMap(input) ? input : {}).flatMap(([key, value]) => {
    if (plain.has(key) || isEmpty(value)) return [];
    const kind = inputInWords[key] ?? key;
    if (key !== 'context') return [{ kind, text: quoteBriefly(value) }];
    return toMaps(value).map((item) => ({
      kind,
      text: `${String(item.description ?? '')}: ${quoteBriefly(item.value ?? '')}`,
    }));
  });
}

function isEmpty(value: Value): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** The values that the state of a phase presents, compared with the state before it. */
export function describePresented(state: Value | undefined, before: Value | undefined): readonly PresentedItem[] {
  if (!isValueMap(state)) return state === undefined ? [] : [{ kind: 'state', text: quoteBriefly(state) }];
  const earlier = isValueMap(before) ? before : undefined;
  return Object.entries(state).flatMap(([key, value]) => {
    const present = Object.hasOwn(presenters, key) ? presenters[key] : presentOne(key, quoteBriefly);
    const previous = earlier === undefined ? undefined : (earlier[key] ?? []);
    return present?.(value, previous) ?? [];
  });
}

function formatNamed(value: Value): string {
  if (!isValueMap(value)) return quoteBriefly(value);
  const { name, description } = value;
  const text = description === undefined ? '' : `: ${shortenToLine(String(description), 400)}`;
  return `${String(name ?? '')}${text}`;
}

function formatAnswers({ responses }: ValueMap): string {
  return toMaps(responses)
    .map((response) => `; answers ${answer(response)}`)
    .join('');
}

/** An answer, and the condition under which it is given. */
function answer({ when, content, messages, status, ...rest }: ValueMap): string {
  const value = content ?? messages ?? rest;
  const text = joinContentTexts(value);
  const asked = isValueMap(when) ? ` when ${describePredicate(when)}` : '';
  return `${quoteBriefly(text ?? value)}${asked}`;
}

function formatSkills(card: Value): string {
  const skills = isValueMap(card) ? toMaps(card.skills) : [];
  const list = skills.map(({ name, id }) => String(name ?? id ?? '')).join(', ');
  return list === '' ? '' : `; skills ${list}`;
}

function listMessages(input: Value): readonly ValueMap[] {
  return isValueMap(input) ? toMaps(input.messages) : [];
}

function listTools(input: Value): readonly ValueMap[] {
  return isValueMap(input) ? toMaps(input.tools) : [];
}

function joinContentTexts(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const texts = value.map((item: Value) => joinContentTexts(item)).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.join(' ');
  }
  return isValueMap(value) ? joinContentTexts(value.text ?? value.content ?? value.parts ?? value.messages) : undefined;
}
