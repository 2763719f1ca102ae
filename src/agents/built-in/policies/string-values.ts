import { dropLead } from './clauses.ts';
import { findAddressAfter, findExplicitValue } from './explicit-value.ts';
import { findNamedThing } from './named-thing.ts';
import { classifyParameter, type ParameterKind } from './parameter-kind.ts';
import { findAll } from './text-patterns.ts';
import type { ToolParameter } from './tool-parameters.ts';

/** The texts that values come from: first the nearest words, then those around them. */
export interface RequestWords {
  readonly near: string;
  readonly far: string;
  /** Stems of the tool's subject: "account balance" does not name an account. */
  readonly about?: ReadonlySet<string>;
}

/** The values that the words give to a string parameter: none, one, or all that they list. */
export function findStringValues(
  parameter: ToolParameter,
  words: RequestWords,
  taken: ReadonlySet<string> = new Set(),
): readonly string[] {
  const kind = classifyParameter(parameter);
  const tail = kind === 'text' || kind === 'expression' ? findTextAfterColon(words.near) : undefined;
  if (tail !== undefined && parameter.isRequired) return [tail];
  for (const text of [words.near, words.far]) {
    const stated = findStatedValue(parameter, kind, text);
    if (stated !== undefined) return [stated];
    const listed = findValuesByForm(parameter, kind, text, words.about).filter((value) => !taken.has(value));
    if (listed.length > 0) return listed;
  }
  if (!parameter.isRequired) return [];
  const value = findLooseValue(kind, words.near, taken);
  return value === undefined ? [] : [value];
}

/** The value that a text gives to a parameter by name. */
export function findStatedValue({ name }: ToolParameter, kind: ParameterKind, text: string): string | undefined {
  const given = findExplicitValue(name, text);
  if (given !== undefined || (kind !== 'copy' && kind !== 'email') || name === 'to') return given;
  return findAddressAfter(name, text);
}

/** Whether a text contains the value of a text parameter: by name, in quotation marks, or after a colon. */
export function statesText(parameter: ToolParameter, text: string): boolean {
  return (findStatedValue(parameter, 'text', text) ?? findPayload('text', text)) !== undefined;
}

/** Values in a text whose form fits the parameter. */
export function findValuesByForm(
  { name }: ToolParameter,
  kind: ParameterKind,
  text: string,
  about?: ReadonlySet<string>,
): readonly string[] {
  switch (kind) {
    case 'email': {
      const addresses = findAll('emails', text).filter((address) => !isCopied(address, text));
      return addresses.length > 0 ? addresses : findNamedValue(name, text, about);
    }
    case 'date':
      return findAll('dates', text);
    case 'url':
      return findAll('uris', text);
    case 'path':
      return findAll('paths', text);
    case 'id':
    case 'unknown':
    case 'copy':
      return findNamedValue(name, text, about);
    default:
      return [];
  }
}

function findNamedValue(name: string, text: string, about?: ReadonlySet<string>): readonly string[] {
  const thing = findNamedThing(name, text, about);
  return thing === undefined ? [] : [thing];
}

function isCopied(address: string, text: string): boolean {
  return ['bcc', 'cc', 'from', 'reply_to'].some(
    (name) => (findExplicitValue(name, text) ?? findAddressAfter(name, text)) === address,
  );
}

/** For a required parameter that is not named: the nearest value of its kind, or the words themselves. */
function findLooseValue(kind: ParameterKind, text: string, taken: ReadonlySet<string>): string | undefined {
  switch (kind) {
    case 'text':
    case 'expression':
      return findPayload(kind, text) ?? extractObjectPhrase(text);
    case 'id':
    case 'unknown':
      return [
        ...findAll('identifiers', text),
        ...findAll('paths', text),
        ...findAll('quoted', text),
        ...findAll('names', text),
      ].find((one) => !taken.has(one));
    default:
      return undefined;
  }
}

function findPayload(kind: ParameterKind, text: string): string | undefined {
  const [quote] = findAll('quoted', text);
  if (quote !== undefined) return quote;
  if (kind === 'expression')
    return /[\d.()]+(?:\s*[-+*/^]\s*[\d.()]+)+/.exec(text)?.[0] ?? /(?<!\S)\S*\*\S*/.exec(text)?.[0];
  return findTextAfterColon(text);
}

/** Reads the text after "Review this code: …". */
function findTextAfterColon(text: string): string | undefined {
  const tail = /\b(?:this|these|following|below)\b[^:\n]{0,60}:\s+(\S.*)$/s.exec(text)?.[1];
  return tail?.replace(/^(["'`])(.*)\1$/s, '$2');
}

/** The request without its leading verb: "search the web for related CVEs" → "related CVEs". */
export function extractObjectPhrase(text: string): string {
  const bare = dropLead(text).replace(
    /^\s*(?:please\s+)?\p{L}+(?:\s+(?:and|or)\s+\p{L}+)?\s+(?:(?:up|me|on|online|the|web|internet)\s+)*(?:for\s+)?(?:(?:the|an?|all|any|about)\s+)*/iu,
    '',
  );
  return bare === '' ? text : bare;
}

export function isMentioned({ near, far }: RequestWords, value: string): boolean {
  if (value === '') return false;
  const word = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu');
  return pattern.test(near) || pattern.test(far);
}
