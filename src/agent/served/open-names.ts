import type { Value } from '../../model/value.ts';
import { type Lookup, placeholdersIn, UnfilledPlaceholder } from '../placeholders.ts';

// What a target that is a server may leave open, and where.

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

function familyOf(name: string): string {
  return families.find(([shape]) => shape.test(name))?.[1] ?? name;
}

export function unknownPlaceholder(value: Value, known: OpenNames): string | undefined {
  const unknown = placeholdersIn(value).find((name) => !known.some((each) => each === familyOf(name)));
  if (unknown === undefined) return undefined;
  const names = known.map((name) => `{{${name}}}`).join(', ');
  return `{{${unknown}}} stands for nothing here; known: ${names}`;
}

/** Whether whoever gets this learns where the servers of a run are. */
export function tellsEndpoints(value: Value): boolean {
  return placeholdersIn(value).some((name) => endpoints.some((each) => each === familyOf(name)));
}

export function namesRun(value: Value): boolean {
  return placeholdersIn(value).includes('run');
}

/** The variables that a value takes from the environment; they are there so that no secret stands in a file. */
export function variablesIn(value: Value): readonly string[] {
  return placeholdersIn(value).flatMap((name) => /^env\.(\w+)$/.exec(name)?.[1] ?? []);
}

/** Fills what is open, and says where and why when that cannot be. */
export function filledAt<T>(where: string, value: Value, lookup: Lookup, fill: () => T): T {
  try {
    return fill();
  } catch (thrown) {
    if (!(thrown instanceof UnfilledPlaceholder)) throw thrown;
    const missing = placeholdersIn(value).find((name) => lookup(name) === undefined) ?? '';
    throw new Error(`${where}: ${thrown.message}${reasonOf(missing)}`);
  }
}

function reasonOf(name: string): string {
  const [, variable] = /^env\.(\w+)$/.exec(name) ?? [];
  if (variable !== undefined) return `: the variable ${variable} is not set`;
  const [, actor] = /^actors\.(.+)\.url$/.exec(name) ?? [];
  return actor === undefined ? '' : `: no actor "${actor}" listens in this run`;
}
