import { isCollection, isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { formatContent, shortenContent } from './content-text.ts';

/** A caller: its version, its capabilities and info, and the notes that it has sent. */
export interface Caller {
  readonly version: string;
  readonly capabilities: ValueMap;
  readonly info: Value;
  readonly notes: string[];
}

/** The first version in which a caller can be asked for confirmation. */
const firstWithForms = '2025-06-18';

export function hasConfirmation({ version, capabilities }: Caller): boolean {
  return capabilities.elicitation !== undefined && version >= firstWithForms;
}

export interface Confirmation {
  readonly isGiven: boolean;
  readonly content?: Value;
}

/** No answer does not count as consent. */
export function readConfirmation(answer: Value | undefined): Confirmation {
  if (!isValueMap(answer) || answer.action !== 'accept') return { isGiven: false };
  const { content } = answer;
  const isGiven = !isValueMap(content) || content.confirm !== false;
  return { isGiven, ...(content !== undefined && { content }) };
}

export function readAdvice(answer: Value | undefined): string | undefined {
  return isValueMap(answer) ? formatContent(answer.content) : undefined;
}

export interface CallerContext {
  readonly caller: Caller;
  readonly meta: ValueMap;
  readonly roots: Value | undefined;
  readonly form: Value | undefined;
  readonly advice: string | undefined;
}

const longest = 16 * 1024;

/** Everything that a caller has sent apart from its request, for the model to read. */
export function formatCallerContext({ caller, meta, roots, form, advice }: CallerContext): string {
  const { progressToken: _token, ...rest } = meta;
  const parts = [
    ...formatLabelled('About the caller', caller.info),
    ...formatLabelled('About the request', rest),
    ...formatLabelled('Its folders', roots),
    ...formatLabelled('What it filled in', form),
    ...formatLabelled('What its model says', advice),
    ...formatLabelled('What it reported', caller.notes.splice(0)),
  ];
  return parts.length === 0 ? '' : shortenContent(`From the caller:\n${parts.join('\n')}`, longest);
}

function formatLabelled(title: string, value: Value | undefined): readonly string[] {
  const lines = value === undefined ? [] : formatCallerLeaves(value, 0);
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function formatCallerLeaves(value: Value, depth: number, name = ''): readonly string[] {
  const label = name === '' ? '' : `${name}: `;
  if (!isCollection(value)) return [`${label}${String(value)}`];
  if (depth > 8) return [`${label}…`];
  return Object.entries(value).flatMap(([key, item]) =>
    formatCallerLeaves(item as Value, depth + 1, Array.isArray(value) ? name : key),
  );
}
