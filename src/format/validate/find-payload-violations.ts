import type { Path } from '../model/path.ts';
import { getOwnValue, isCollection, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { splitTemplate } from '../primitives/interpolate-template.ts';
import {
  type EntryShape,
  explainKey,
  foundBy,
  generatedInputFields,
  isAloneForbidden,
  isOpeningByItself,
  isToolMessage,
  listEntryActions,
  listStateKeys,
  listsInState,
  requiredFields,
  responsesWithin,
} from '../registry/payload-shapes.ts';
import { findNearest } from '../registry/suggestions.ts';
import {
  listExtractors,
  listIndicators,
  listPhasePlaces,
  listStateMaps,
  listStates,
  listTemplates,
  listTemplateTexts,
  listTriggers,
} from './document-parts.ts';
import type { RuleFinding, RuleTable } from './rule-finding.ts';
import { createFinding, quoteValue, shortenQuote, suggestKey } from './rule-finding.ts';

// Payloads are sent as they are written. These rules warn if a binding will not find what it looks for, so that an author
// sees before a run that an attack does nothing.

export const payloadRules = {
  'O-013': function* (document) {
    for (const { item: state, path, mode } of listStates(document)) {
      if (!isValueMap(state)) continue;
      for (const [owner, shape] of Object.entries(responsesWithin))
        for (const { item, path: here } of listStateMaps(state, owner, path))
          yield* checkList(item, 'responses', shape, here);
      for (const [key, shape] of Object.entries(listsInState)) yield* checkList(state, key, shape, path);
      yield* findUnknownTemplates(state, path);
      for (const { item, path: here } of listStateMaps(state, 'resources', path))
        if (Object.hasOwn(item, 'responses'))
          yield createFinding(
            [...here, 'responses'],
            'a resource has no `responses`',
            'write the text that is read in `content`',
          );
      if (mode !== undefined && isOpeningByItself(mode))
        for (const { item, path: here } of listStateMaps(state, 'actions', path))
          if (item.method === 'initialize')
            yield createFinding(
              [...here, 'method'],
              '`initialize` is sent when the connection opens; this sends it again',
              'leave it out; `client_info` and `capabilities` say what it carries',
            );
    }
  },
  'O-014': function* (document) {
    const names = new Set([...listExtractors(document)].flatMap(({ item }) => item.name ?? []));
    for (const { item, path } of listTriggers(document))
      yield* findUnreadTemplates(item.match as Value | undefined, [...path, 'match'], names, 'a trigger’s `match`');
    for (const { item, path } of listIndicators(document)) {
      const { target, pattern, expression, semantic } = item;
      yield* findUnreadTemplates(
        { target, pattern, expression, semantic } as unknown as Value,
        path,
        names,
        'an indicator',
      );
    }
    for (const { item, path } of listTemplates(document))
      for (const part of splitTemplate(item))
        if (part.kind === 'reference' && /^(?:request|response)\..*[[\]*$]/.test(part.name))
          yield createFinding(
            path,
            `{{${shortenQuote(part.name)}}} never resolves: a path has no indices`,
            'an extractor of type json_path can take an item of a list',
          );
  },
  'O-015': function* (document) {
    for (const { phase, path, mode } of listPhasePlaces(document)) {
      if (mode === undefined) continue;
      const known = listEntryActions(mode);
      for (const [index, action] of (phase.onEnter ?? []).entries())
        for (const key of Object.keys(action.binding ?? {}))
          if (!known.includes(key))
            yield createFinding(
              [...path, 'on_enter', index, key],
              `no binding of ${mode} knows the entry action ${quoteValue(key)}, so it is skipped`,
              explainWrongKey(key, known),
            );
    }
  },
  'O-016': function* (document) {
    for (const { item: state, path } of listStates(document)) {
      for (const { item, path: here } of listStateMaps(state, 'task_responses', path))
        if (isValueMap(item.content)) yield* findTaskProblems(item.content, [...here, 'content']);
      for (const { item, path: here } of listStateMaps(state, 'tool_responses', path)) {
        const [result, at] = isToolMessage(item.content)
          ? [item.content.content, ['content', 'content']]
          : [item.content, ['content']];
        if (isCollection(result) && !isParts(result))
          yield createFinding(
            [...here, ...at],
            'in AG-UI a tool’s result is a string or content parts; official clients refuse this value, which is sent as written',
            'write it as a string of JSON',
          );
      }
    }
  },
  'O-018': function* (document) {
    for (const { item: state, path, mode } of listStates(document)) {
      if (!isValueMap(state)) continue;
      if (mode !== undefined && listStateKeys(mode)?.includes('run_agent_input'))
        yield* findMissingInput(state, [...path, 'run_agent_input']);
      for (const [key, fields] of Object.entries(requiredFields))
        for (const { item, path: here } of listStateMaps(state, key, path))
          for (const field of fields)
            if (item[field] === undefined)
              yield createFinding(
                here,
                `the format requires \`${field}\` in an entry of \`${key}\`; this one goes out without it`,
                explainMissingKey(item, field) ?? `write \`${field}: ...\``,
              );
    }
    for (const { phase, path, mode } of listPhasePlaces(document))
      for (const [index, { binding = {} }] of (phase.onEnter ?? []).entries()) {
        const push = binding.send_push_notification;
        if (push === undefined || mode === undefined || !listEntryActions(mode).includes('send_push_notification'))
          continue;
        if (typeof (isValueMap(push) ? push.url : undefined) !== 'string')
          yield createFinding(
            [...path, 'on_enter', index, 'send_push_notification'],
            'a push without `url` goes nowhere, so nothing is sent',
            'write `url: "{{...}}"` with the address that the agent has configured',
          );
      }
  },
  'O-019': function* (document) {
    for (const { phase, path, mode } of listPhasePlaces(document))
      for (const [index, { send }] of (phase.onEnter ?? []).entries())
        if (mode !== undefined && isAloneForbidden(mode, send?.method ?? '') && (phase.description ?? '') === '')
          yield createFinding(
            [...path, 'on_enter', index, 'send', 'method'],
            `MCP forbids ${quoteValue(send?.method)} outside a request of the client, and the phase does not say why it is sent`,
            'write a `description` of the phase, or ask within a call with `elicitations`',
          );
  },
} satisfies RuleTable;

function* findMissingInput(
  { run_agent_input: input = null, as_written }: ValueMap,
  path: Path,
): Generator<RuleFinding> {
  if (input === null)
    yield createFinding(
      path,
      'without a `run_agent_input` there is nothing to send',
      'write `run_agent_input: { threadId: ..., runId: ..., messages: [...] }`',
    );
  if (!isValueMap(input) || as_written === true) return;
  for (const key of generatedInputFields)
    if (input[key] === undefined)
      yield createFinding(path, `\`${key}\` is left out, so a generated one is sent`, `write \`${key}: ...\``);
}

function* checkList(map: ValueMap, key: string, shape: EntryShape, path: Path): Generator<RuleFinding> {
  const list = getOwnValue(map, key);
  if (list === undefined || list === null) return;
  const here = [...path, key];
  if (!Array.isArray(list)) {
    yield createFinding(
      here,
      `\`${key}\` is not a list, so nothing of it is used`,
      `write \`- ${getFirstPayloadKey(shape)}: ...\` below it`,
    );
    return;
  }
  for (const [index, entry] of (list as readonly Value[]).entries())
    yield* findEntryProblems(entry, key, shape, [...here, index]);
}

function* findEntryProblems(entry: Value, list: string, shape: EntryShape, path: Path): Generator<RuleFinding> {
  const first = getFirstPayloadKey(shape);
  if (!isValueMap(entry)) {
    yield createFinding(
      path,
      `an entry of \`${list}\` is a mapping, and this is not used`,
      `write \`- ${first}: ...\``,
    );
    return;
  }
  const known = [...shape.payload, ...shape.keys];
  const strange = Object.keys(entry).filter((key) => !known.includes(key) && !key.startsWith('x-'));
  const meant = strange.map((key) => explainWrongKey(key, known)).find((hint) => hint !== undefined);
  const hasPayload =
    shape.payload.length === 0 ||
    (shape.isNeeded ? shape.payload : known).some((key) => key !== 'when' && (entry[key] ?? null) !== null);
  if (!hasPayload) {
    yield createFinding(path, `an entry of \`${list}\` without \`${first}\` says nothing`, meant);
    return;
  }
  for (const key of strange) {
    const hint = explainWrongKey(key, known);
    if (shape.isOpen && hint === undefined) continue;
    yield createFinding([...path, key], `no binding reads \`${shortenQuote(key)}\` in an entry of \`${list}\``, hint);
  }
}

function getFirstPayloadKey({ payload: [first = 'message'] }: EntryShape): string {
  return first;
}

function* findUnknownTemplates(state: ValueMap, path: Path): Generator<RuleFinding> {
  for (const [key, field] of Object.entries(foundBy))
    for (const { item, path: here } of listStateMaps(state, key, path))
      if ((item[field] ?? null) === null)
        yield createFinding(
          here,
          `no client can ask for an entry of \`${key}\` that has no \`${field}\``,
          explainMissingKey(item, field),
        );
}

/** The hint if a key of the entry is nearly the one that is missing. */
function explainMissingKey(entry: ValueMap, missing: string): string | undefined {
  return explainWrongKey(Object.keys(entry).find((each) => findNearest(each, [missing])) ?? '', [missing]);
}

/** Finds templates where none are filled in. A reference to no extractor is ignored: it may be the text that is looked for. */
function* findUnreadTemplates(
  value: Value | undefined,
  path: Path,
  names: ReadonlySet<string>,
  where: string,
): Generator<RuleFinding> {
  const refers = (name: string): boolean =>
    names.has(name.slice(name.indexOf('.') + 1)) || /^(?:request|response)\./.test(name);
  for (const { item, path: here } of listTemplateTexts(value, path))
    for (const part of splitTemplate(item))
      if (part.kind === 'reference' && refers(part.name))
        yield createFinding(
          here,
          `{{${shortenQuote(part.name)}}} is text here: ${where} reads no templates`,
          'only strings within `state` and `on_enter` do',
        );
}

const partTypes: ReadonlySet<Value | undefined> = new Set(['text', 'image', 'audio', 'video', 'document']);

/** Content parts, which AG-UI 1.0 allows as the result of a tool. */
function isParts(content: Value): boolean {
  return Array.isArray(content) && content.every((part: Value) => isValueMap(part) && partTypes.has(part.type));
}

/** A task of A2A 0.3 has `kind`, `id` and `contextId`. */
function* findTaskProblems(content: ValueMap, path: Path): Generator<RuleFinding> {
  if (!isValueMap(content.status) || content.kind === 'message' || content.kind === 'status-update') return;
  const missing = ['kind', 'id', 'contextId'].filter((key) => (content[key] ?? null) === null);
  if (missing.length > 0)
    yield createFinding(
      path,
      `a Task without ${missing.map((key) => `\`${key}\``).join(', ')} is refused by official clients; it goes out as written`,
      'write `kind: task`, an `id` and a `contextId`',
    );
}

/** The meaning of a key that belongs elsewhere, or the known key that is near. */
function explainWrongKey(key: string, known: readonly string[]): string | undefined {
  return (known.includes(key) ? undefined : explainKey(key)) ?? suggestKey(key, known);
}
