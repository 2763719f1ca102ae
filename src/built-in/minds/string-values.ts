import { withoutLead } from './clauses.ts';
import { addressAfter, explicitValue } from './explicit-value.ts';
import { findAll } from './found-in-text.ts';
import { namedThing } from './named-thing.ts';
import { kindOf, type ParameterKind } from './parameter-kind.ts';
import type { Parameter } from './parameters.ts';

/** The texts that values come from: first the nearest words, then those around them. */
export interface Words {
  readonly near: string;
  readonly far: string;
  /** Stems of the tool's subject: "account balance" does not name an account. */
  readonly about?: ReadonlySet<string>;
}

/** The values that the words give to a string parameter: none, one, or all that they list. */
export function stringsFrom(
  parameter: Parameter,
  words: Words,
  taken: ReadonlySet<string> = new Set(),
): readonly string[] {
  const kind = kindOf(parameter);
  const tail = kind === 'text' || kind === 'expression' ? afterColon(words.near) : undefined;
  if (tail !== undefined && parameter.isRequired) return [tail];
  for (const text of [words.near, words.far]) {
    const stated = statedValue(parameter, kind, text);
    if (stated !== undefined) return [stated];
    const listed = valuesByForm(parameter, kind, text, words.about).filter((value) => !taken.has(value));
    if (listed.length > 0) return listed;
  }
  if (!parameter.isRequired) return [];
  const value = looseValue(kind, words.near, taken);
  return value === undefined ? [] : [value];
}

/** The value that a text gives to a parameter by name. */
export function statedValue({ name }: Parameter, kind: ParameterKind, text: string): string | undefined {
  const given = explicitValue(name, text);
  if (given !== undefined || (kind !== 'copy' && kind !== 'email') || name === 'to') return given;
  return addressAfter(name, text);
}

/** Whether a text contains the value of a text parameter: by name, in quotation marks, or after a colon. */
export function statesText(parameter: Parameter, text: string): boolean {
  return (statedValue(parameter, 'text', text) ?? payload('text', text)) !== undefined;
}

/** Values in a text whose form fits the parameter. */
export function valuesByForm(
  { name }: Parameter,
  kind: ParameterKind,
  text: string,
  about?: ReadonlySet<string>,
): readonly string[] {
  switch (kind) {
    case 'email': {
      const addresses = findAll('emails', text).filter((address) => !isCopied(address, text));
      return addresses.length > 0 ? addresses : besideItself(name, text, about);
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
      return besideItself(name, text, about);
    default:
      return [];
  }
}

function besideItself(name: string, text: string, about?: ReadonlySet<string>): readonly string[] {
  const thing = namedThing(name, text, about);
  return thing === undefined ? [] : [thing];
}

function isCopied(address: string, text: string): boolean {
  return ['bcc', 'cc', 'from', 'reply_to'].some(
    (name) => (explicitValue(name, text) ?? addressAfter(name, text)) === address,
  );
}

/** For a required parameter that is not named: the nearest value of its kind, or the words themselves. */
function looseValue(kind: ParameterKind, text: string, taken: ReadonlySet<string>): string | undefined {
  switch (kind) {
    case 'text':
    case 'expression':
      return payload(kind, text) ?? objectPhrase(text);
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

function payload(kind: ParameterKind, text: string): string | undefined {
  const [quote] = findAll('quoted', text);
  if (quote !== undefined) return quote;
  if (kind === 'expression')
    return /[\d.()]+(?:\s*[-+*/^]\s*[\d.()]+)+/.exec(text)?.[0] ?? /(?<!\S)\S*\*\S*/.exec(text)?.[0];
  return afterColon(text);
}

/** Reads the text after "Review this code: …". */
function afterColon(text: string): string | undefined {
  const tail = /\b(?:this|these|following|below)\b[^:\n]{0,60}:\s+(\S.*)$/s.exec(text)?.[1];
  return tail?.replace(/^(["'`])(.*)\1$/s, '$2');
}

/** The request without its leading verb: "search the web for related CVEs" → "related CVEs". */
export function objectPhrase(text: string): string {
  const bare = withoutLead(text).replace(
    /^\s*(?:please\s+)?\p{L}+(?:\s+(?:and|or)\s+\p{L}+)?\s+(?:(?:up|me|on|online|the|web|internet)\s+)*(?:for\s+)?(?:(?:the|an?|all|any|about)\s+)*/iu,
    '',
  );
  return bare === '' ? text : bare;
}

export function isMentioned({ near, far }: Words, value: string): boolean {
  if (value === '') return false;
  const word = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu');
  return pattern.test(near) || pattern.test(far);
}
