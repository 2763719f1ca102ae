import type { Diagnostic } from '../model/errors.ts';
import { isBlank } from '../model/escape-invisible.ts';
import { getOwnValue, isCollection, setOwn, sortKeys, type Value, type ValueMap } from '../model/value.ts';
import { formatAsText } from './compact-json.ts';
import { resolveSimplePath } from './resolve-simple-path.ts';

/** A text with its templates filled in. */
export interface InterpolatedText {
  readonly text: string;
  /** W-004 for every reference that does not resolve; O-108 once, if the inserted values are too long. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the references that did not resolve, or resolved to nothing that anybody can see. */
  readonly unresolved: readonly string[];
}

/** A part of a template: literal text, or the name between `{{` and `}}`. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly name: string }
  /** An opening `{{` that is never closed, with all text after it. */
  | { readonly kind: 'unclosed'; readonly text: string };

/** Splits a template in one pass, so that an inserted value is never read as a template (format spec §5.6). */
export function* splitTemplate(template: string): Generator<TemplatePart> {
  let at = 0;
  for (;;) {
    const open = template.indexOf('{{', at);
    if (open < 0) break;
    if (open > at && template[open - 1] === '\\') {
      yield { kind: 'text', text: `${template.slice(at, open - 1)}{{` };
      at = open + 2;
      continue;
    }
    const close = template.indexOf('}}', open + 2);
    if (open > at) yield { kind: 'text', text: template.slice(at, open) };
    if (close < 0) {
      yield { kind: 'unclosed', text: template.slice(open).replaceAll('\\{{', '{{') };
      return;
    }
    yield { kind: 'reference', name: template.slice(open + 2, close) };
    at = close + 2;
  }
  if (at < template.length) yield { kind: 'text', text: template.slice(at) };
}

/**
 * The number of characters that references may insert into one value. Without a limit, phases that send what they extracted
 * could multiply it without end.
 */
const mostFilled = 4 * 1024 * 1024;

/** The characters that may still be inserted into a value; negative once a value did not fit. */
export interface InsertionRoom {
  left: number;
}

export function createRoom(): InsertionRoom {
  return { left: mostFilled };
}

/** Fills in `{{…}}` with extracted values (`name`, `actor.name`) and with parts of the current request and response. */
export function interpolateTemplate(
  template: string,
  extractors: ValueMap,
  request?: Value,
  response?: Value,
): InterpolatedText {
  return fillTemplate(template, createRoom(), extractors, request, response);
}

export function fillTemplate(
  template: string,
  room: InsertionRoom,
  extractors: ValueMap,
  request?: Value,
  response?: Value,
): InterpolatedText {
  if (!template.includes('{{')) return { text: template, diagnostics: [], unresolved: [] };
  const diagnostics: Diagnostic[] = [];
  const unresolved: string[] = [];
  const pieces: string[] = [];
  for (const part of splitTemplate(template)) {
    if (part.kind !== 'reference') {
      pieces.push(part.text);
      continue;
    }
    const value = lookUp(part.name, extractors, request, response);
    if (value === undefined) {
      unresolved.push(part.name);
      diagnostics.push({
        severity: 'warning',
        code: 'W-004',
        message: `template reference "${part.name.slice(0, 80)}" does not resolve${hasBlanks(part.name) ? ': its blanks are part of the name' : ''}`,
      });
      continue;
    }
    const isOpen = room.left >= 0;
    const text = isOpen ? formatAsText(value, 'own') : '';
    if (isOpen && text.length <= room.left) {
      if (value === null || isBlank(text)) unresolved.push(part.name);
      pieces.push(text);
      room.left -= text.length;
      continue;
    }
    unresolved.push(part.name);
    if (isOpen)
      diagnostics.push({
        severity: 'warning',
        code: 'O-108',
        message: `templates may put ${mostFilled} characters into a value; from "${part.name.slice(0, 80)}" on they stay empty`,
      });
    // All later references stay empty: to measure them would cost as much as to insert them.
    room.left = -1;
  }
  return { text: pieces.join(''), diagnostics, unresolved };
}

function hasBlanks(name: string): boolean {
  return name !== name.trim();
}

function lookUp(name: string, extractors: ValueMap, request?: Value, response?: Value): Value | undefined {
  const extracted = getOwnValue(extractors, name);
  if (extracted !== undefined) return extracted;
  if (name.startsWith('request.')) return resolveInMessage(request, name.slice('request.'.length));
  if (name.startsWith('response.')) return resolveInMessage(response, name.slice('response.'.length));
  return undefined;
}

function resolveInMessage(message: Value | undefined, path: string): Value | undefined {
  return message === undefined ? undefined : resolveSimplePath(path, message);
}

/** A value with the templates in its strings filled in. */
export interface InterpolatedValue {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the references that did not resolve, or resolved to nothing that anybody can see. */
  readonly unresolved: readonly string[];
}

interface Frame {
  readonly copy: Record<string, Value>;
  readonly entries: readonly [key: string, item: Value][];
  next: number;
}

/** Fills in the templates in every string of a value. Keys stay as they are (format spec §5.6). */
export function interpolateValue(
  value: Value,
  extractors: ValueMap,
  request?: Value,
  response?: Value,
): InterpolatedValue {
  // Most values have no template, and a search is much cheaper than a copy.
  if (!hasTemplate(value)) return { value, diagnostics: [], unresolved: [] };
  const diagnostics: Diagnostic[] = [];
  const unresolved: string[] = [];
  const room = createRoom();
  // An explicit stack, as in `formatCompactJson`.
  const frames: Frame[] = [];
  const fill = (item: Value): Value => {
    if (typeof item === 'string') {
      const filled = fillTemplate(item, room, extractors, request, response);
      for (const diagnostic of filled.diagnostics) diagnostics.push(diagnostic);
      for (const name of filled.unresolved) unresolved.push(name);
      return filled.text;
    }
    if (!isCollection(item)) return item;
    const copy = (Array.isArray(item) ? [] : {}) as Record<string, Value>;
    frames.push({ copy, entries: Object.entries(item), next: 0 });
    return Array.isArray(item) ? copy : sortKeys(copy, Object.keys(item));
  };
  const root = fill(value);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const entry = frame.entries[frame.next++];
    if (entry === undefined) frames.pop();
    else setOwn(frame.copy, entry[0], fill(entry[1]));
  }
  return { value: root, diagnostics, unresolved };
}

/** Whether any string of a value contains `{{`, or the given opening. */
export function hasTemplate(value: Value, opening = '{{'): boolean {
  if (typeof value === 'string') return value.includes(opening);
  const pending: Value[] = [value];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (typeof item === 'string') {
      if (item.includes(opening)) return true;
    } else if (Array.isArray(item)) for (const inner of item) pending.push(inner);
    else if (isCollection(item)) for (const key in item) pending.push((item as ValueMap)[key] as Value);
  }
  return false;
}
