import type { Path } from '../model/path.ts';
import { isValueMap, ownValue, type Value, type ValueMap } from '../model/value.ts';
import { templateParts } from '../primitives/interpolate-template.ts';
import {
  type EntryShape,
  entryActionsOf,
  foundBy,
  listsInState,
  meaningOf,
  opensByItself,
  responsesWithin,
} from '../registry/payload-shapes.ts';
import { nearest } from '../registry/suggestions.ts';
import {
  extractorsOf,
  indicatorsOf,
  mapsIn,
  phasesOf,
  statesOf,
  templatesOf,
  textsIn,
  triggersOf,
} from './places.ts';
import { at, type Finding, type RuleTable, shortened, shown } from './rule.ts';

// Payloads are sent as they are written. These rules warn if a binding will not find what it looks for, so that an author
// sees before a run that an attack does nothing.

export const payloadRules = {
  'O-013': function* (document) {
    for (const { item: state, path, mode } of statesOf(document)) {
      if (!isValueMap(state)) continue;
      for (const [owner, shape] of Object.entries(responsesWithin))
        for (const { item, path: here } of mapsIn(state, owner, path))
          yield* listIn(item, 'responses', shape, here);
      for (const [key, shape] of Object.entries(listsInState)) yield* listIn(state, key, shape, path);
      yield* unfound(state, path);
      for (const { item, path: here } of mapsIn(state, 'resources', path))
        if (Object.hasOwn(item, 'responses'))
          yield at(
            [...here, 'responses'],
            'a resource has no `responses`',
            'write the text that is read in `content`',
          );
      if (mode !== undefined && opensByItself(mode))
        for (const { item, path: here } of mapsIn(state, 'actions', path))
          if (item.method === 'initialize')
            yield at(
              [...here, 'method'],
              '`initialize` is sent when the connection opens; this sends it again',
              'leave it out; `client_info` and `capabilities` say what it carries',
            );
    }
  },
  'O-014': function* (document) {
    const names = new Set([...extractorsOf(document)].flatMap(({ item }) => item.name ?? []));
    for (const { item, path } of triggersOf(document))
      yield* unread(item.match as Value | undefined, [...path, 'match'], names, 'a trigger’s `match`');
    for (const { item, path } of indicatorsOf(document)) {
      const { target, pattern, expression, semantic } = item;
      yield* unread(
        { target, pattern, expression, semantic } as unknown as Value,
        path,
        names,
        'an indicator',
      );
    }
    for (const { item, path } of templatesOf(document))
      for (const part of templateParts(item))
        if (part.kind === 'reference' && /^(?:request|response)\..*[[\]*$]/.test(part.name))
          yield at(
            path,
            `{{${shortened(part.name)}}} never resolves: a path has no indices`,
            'an extractor of type json_path can take an item of a list',
          );
  },
  'O-015': function* (document) {
    for (const { phase, path, mode } of phasesOf(document)) {
      if (mode === undefined) continue;
      const known = entryActionsOf(mode);
      for (const [index, action] of (phase.onEnter ?? []).entries())
        for (const key of Object.keys(action.binding ?? {}))
          if (!known.includes(key))
            yield at(
              [...path, 'on_enter', index, key],
              `no binding of ${mode} knows the entry action ${shown(key)}, so it is skipped`,
              hintFor(key, known),
            );
    }
  },
  'O-016': function* (document) {
    for (const { item: state, path } of statesOf(document)) {
      for (const { item, path: here } of mapsIn(state, 'task_responses', path))
        if (isValueMap(item.content)) yield* taskProblems(item.content, [...here, 'content']);
      for (const { item, path: here } of mapsIn(state, 'tool_responses', path))
        if (typeof item.content === 'object' && item.content !== null && !isParts(item.content))
          yield at(
            [...here, 'content'],
            'in AG-UI a tool’s result is a string or content parts; official clients refuse this value, which is sent as written',
            'write it as a string of JSON',
          );
    }
  },
} satisfies RuleTable;

function* listIn(map: ValueMap, key: string, shape: EntryShape, path: Path): Generator<Finding> {
  const list = ownValue(map, key);
  if (list === undefined || list === null) return;
  const here = [...path, key];
  if (!Array.isArray(list)) {
    yield at(
      here,
      `\`${key}\` is not a list, so nothing of it is used`,
      `write \`- ${firstOf(shape)}: ...\` below it`,
    );
    return;
  }
  for (const [index, entry] of (list as readonly Value[]).entries())
    yield* entryProblems(entry, key, shape, [...here, index]);
}

function* entryProblems(entry: Value, list: string, shape: EntryShape, path: Path): Generator<Finding> {
  const first = firstOf(shape);
  if (!isValueMap(entry)) {
    yield at(path, `an entry of \`${list}\` is a mapping, and this is not used`, `write \`- ${first}: ...\``);
    return;
  }
  const known = [...shape.payload, ...shape.keys];
  const strange = Object.keys(entry).filter((key) => !known.includes(key) && !key.startsWith('x-'));
  const meant = strange.map((key) => hintFor(key, known)).find((hint) => hint !== undefined);
  const hasPayload =
    shape.payload.length === 0 ||
    (shape.isNeeded ? shape.payload : known).some((key) => key !== 'when' && (entry[key] ?? null) !== null);
  if (!hasPayload) {
    yield at(path, `an entry of \`${list}\` without \`${first}\` says nothing`, meant);
    return;
  }
  for (const key of strange) {
    const hint = hintFor(key, known);
    if (shape.isOpen && hint === undefined) continue;
    yield at([...path, key], `no binding reads \`${shortened(key)}\` in an entry of \`${list}\``, hint);
  }
}

function firstOf({ payload: [first = 'message'] }: EntryShape): string {
  return first;
}

function* unfound(state: ValueMap, path: Path): Generator<Finding> {
  for (const [key, field] of Object.entries(foundBy))
    for (const { item, path: here } of mapsIn(state, key, path))
      if ((item[field] ?? null) === null)
        yield at(
          here,
          `nothing can be asked of an entry of \`${key}\` without \`${field}\``,
          hintFor(Object.keys(item).find((each) => nearest(each, [field])) ?? '', [field]),
        );
}

/** Finds templates where none are filled in. A reference to no extractor is ignored: it may be the text that is looked for. */
function* unread(
  value: Value | undefined,
  path: Path,
  names: ReadonlySet<string>,
  where: string,
): Generator<Finding> {
  const refers = (name: string): boolean =>
    names.has(name.slice(name.indexOf('.') + 1)) || /^(?:request|response)\./.test(name);
  for (const { item, path: here } of textsIn(value, path))
    for (const part of templateParts(item))
      if (part.kind === 'reference' && refers(part.name))
        yield at(
          here,
          `{{${shortened(part.name)}}} is text here: ${where} reads no templates`,
          'only strings within `state` and `on_enter` do',
        );
}

const partTypes: ReadonlySet<Value | undefined> = new Set(['text', 'image', 'audio', 'video', 'document']);

/** Content parts, which AG-UI 1.0 allows as the result of a tool. */
function isParts(content: Value): boolean {
  return (
    Array.isArray(content) && content.every((part: Value) => isValueMap(part) && partTypes.has(part.type))
  );
}

/** A task of A2A 0.3 has `kind`, `id` and `contextId`. */
function* taskProblems(content: ValueMap, path: Path): Generator<Finding> {
  if (!isValueMap(content.status) || content.kind === 'message' || content.kind === 'status-update') return;
  const missing = ['kind', 'id', 'contextId'].filter((key) => (content[key] ?? null) === null);
  if (missing.length > 0)
    yield at(
      path,
      `a Task without ${missing.map((key) => `\`${key}\``).join(', ')} is refused by official clients; it goes out as written`,
      'write `kind: task`, an `id` and a `contextId`',
    );
}

function hintFor(key: string, known: readonly string[]): string | undefined {
  const meaning = meaningOf(key);
  if (meaning !== undefined && !known.includes(key)) return meaning;
  const meant = nearest(key, known);
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
}
