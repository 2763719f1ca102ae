import type { Value } from '../../../format/model/value.ts';
import { findPlaceholders, type Lookup, UnfilledPlaceholder } from '../placeholders.ts';

// The placeholders of a server target, and the fields they may be in.

const endpoints = ['mcp_config', 'a2a_cards', 'actors.NAME.url'] as const;
const ofRun = ['run', ...endpoints, 'env.NAME'] as const;

export const openNames = {
  start: ['env.NAME'],
  run: ofRun,
  turnHeaders: ['thread', ...ofRun],
  turn: ['prompt', 'messages', 'input', 'thread', ...ofRun],
} as const;

export type OpenNames = (typeof openNames)[keyof typeof openNames];

const families: readonly (readonly [shape: RegExp, name: string])[] = [
  [/^env\.\w+$/, 'env.NAME'],
  [/^actors\.[A-Za-z0-9_-]+\.url$/, 'actors.NAME.url'],
];

function findPlaceholderFamily(name: string): string {
  return families.find(([shape]) => shape.test(name))?.[1] ?? name;
}

export function describeUnknownPlaceholder(value: Value, known: OpenNames): string | undefined {
  const unknown = findPlaceholders(value).find((name) => !known.some((each) => each === findPlaceholderFamily(name)));
  if (unknown === undefined) return undefined;
  const names = known.map((name) => `{{${name}}}`).join(', ');
  return `{{${unknown}}} has no value here; known: ${names}`;
}

/** Whether the value contains the addresses of a run's servers. */
export function namesEndpoints(value: Value): boolean {
  return findPlaceholders(value).some((name) => endpoints.some((each) => each === findPlaceholderFamily(name)));
}

export function namesRun(value: Value): boolean {
  return findPlaceholders(value).includes('run');
}

/** The environment variables that a value refers to; they keep secrets out of files. */
export function listVariables(value: Value): readonly string[] {
  return findPlaceholders(value).flatMap((name) => /^env\.(\w+)$/.exec(name)?.[1] ?? []);
}

/** Fills the placeholders; if that fails, the error says where and why. */
export function fillAt<T>(where: string, value: Value, lookup: Lookup, fill: () => T): T {
  try {
    return fill();
  } catch (thrown) {
    if (!(thrown instanceof UnfilledPlaceholder)) throw thrown;
    const missing = findPlaceholders(value).find((name) => lookup(name) === undefined) ?? '';
    throw new Error(`${where}: ${thrown.message}${describeMissingName(missing)}`);
  }
}

function describeMissingName(name: string): string {
  const [, variable] = /^env\.(\w+)$/.exec(name) ?? [];
  if (variable !== undefined) return `: the variable ${variable} is not set`;
  const [, actor] = /^actors\.(.+)\.url$/.exec(name) ?? [];
  return actor === undefined ? '' : `: no actor "${actor}" listens in this run`;
}
