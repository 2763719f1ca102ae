import {
  type Category,
  enumerations,
  type SeverityLevel,
  type Status,
  type Tier,
} from '../../format/model/enumeration-types.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { knownModes } from '../../format/registry/known-modes.ts';
import { surfaceNames } from '../../format/registry/piece-kinds.ts';
import { knownProtocols } from '../../format/registry/protocols.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import type { DocumentSummary, SummaryOrReason } from './document-summary.ts';
import { createIdMatcher } from './library-ids.ts';

/**
 * The filters of a selection. A document passes a filter if it has any of its values, and it must pass every filter
 * that has values. For `mode` it must have no other values.
 */
export interface Filters {
  readonly tag: readonly string[];
  readonly severity: readonly SeverityLevel[];
  readonly category: readonly Category[];
  readonly protocol: readonly string[];
  /** The allowed modes: a document with an actor of any other mode does not pass. */
  readonly mode: readonly string[];
  /** Surfaces of the agent that the attack needs. */
  readonly surface: readonly string[];
  readonly tier: readonly Tier[];
  readonly status: readonly Status[];
  /** `FRAMEWORK` or `FRAMEWORK:ID`. */
  readonly mapping: readonly string[];
  /** Ids; wildcards are allowed. */
  readonly id: readonly string[];
}

export function isSelective(filters: Filters): boolean {
  return filterNames.some((name) => filters[name].length > 0);
}

type FilterResult<T> =
  | { readonly ok: true; readonly items: readonly T[] }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** The items that pass. A value that no document can have is an error. */
export function applyFilters<T extends { readonly about: SummaryOrReason }>(
  items: readonly T[],
  filters: Filters,
): FilterResult<T> {
  const summaries = items.flatMap(({ about }) => (about.ok ? [about.summary] : []));
  const tests: ((summary: DocumentSummary) => boolean)[] = [];
  for (const name of filterNames) {
    if (filters[name].length === 0) continue;
    const there = [...new Set([...known[name], ...summaries.flatMap(valuesOf[name])])];
    const matchers = filters[name].map((wanted) => ({ wanted, matches: createFilterMatcher(name, wanted) }));
    const unknown = matchers.find(({ matches }) => summaries.length > 0 && !there.some(matches));
    if (unknown !== undefined) return { ok: false, ...describeUnknownValue(name, unknown.wanted, there) };
    const fits = (value: string): boolean => matchers.some(({ matches }) => matches(value));
    tests.push((summary) =>
      exclusive.has(name) ? valuesOf[name](summary).every(fits) : valuesOf[name](summary).some(fits),
    );
  }
  return {
    ok: true,
    items: items.filter(({ about }) => !about.ok || tests.every((test) => test(about.summary))),
  };
}

const valuesOf: { readonly [N in keyof Filters]: (summary: DocumentSummary) => readonly string[] } = {
  tag: ({ tags }) => tags,
  severity: ({ severity }) => (severity === undefined ? [] : [severity]),
  category: ({ category }) => (category === undefined ? [] : [category]),
  protocol: ({ protocols }) => protocols,
  mode: ({ modes }) => modes,
  surface: ({ surfaces }) => surfaces,
  tier: ({ tiers }) => tiers,
  status: ({ status }) => [status],
  mapping: ({ mappings }) => mappings.flatMap(({ framework, id }) => [framework, `${framework}:${id}`]),
  id: ({ id }) => (id === undefined ? [] : [id]),
};

export const filterNames = Object.keys(valuesOf) as readonly (keyof Filters)[];

/** Filters for which all values of a document must be among the wanted ones. */
const exclusive: ReadonlySet<keyof Filters> = new Set(['mode']);

/** Values that are valid even if no document has them. */
const known: { readonly [N in keyof Filters]: readonly string[] } = {
  tag: [],
  severity: enumerations.SeverityLevel,
  category: enumerations.Category,
  protocol: knownProtocols(),
  mode: knownModes(),
  surface: surfaceNames,
  tier: enumerations.Tier,
  status: enumerations.Status,
  mapping: [],
  id: [],
};

function createFilterMatcher(name: keyof Filters, wanted: string): (value: string) => boolean {
  if (name === 'id') return createIdMatcher(wanted);
  return (value) => foldFilterValue(value) === foldFilterValue(wanted);
}

/** Lets AG-UI match ag_ui. */
function foldFilterValue(value: string): string {
  return value.toLowerCase().replaceAll('-', '_');
}

const mostTold = 12;

function describeUnknownValue(
  name: keyof Filters,
  wanted: string,
  there: readonly string[],
): { readonly message: string; readonly hint: string } {
  const near = findNearest(wanted, there);
  const some = there.slice(0, mostTold).map((value) => escapeInvisible(value));
  const all = there.length > mostTold ? `${some.join(', ')}, …` : some.join(', ');
  return {
    message: `${name}: no document has the ${name} "${escapeInvisible(wanted)}"`,
    hint:
      near !== undefined
        ? `did you mean ${escapeInvisible(near)}?`
        : there.length === 0
          ? `these documents have no ${name}`
          : `here they have ${all}`,
  };
}
