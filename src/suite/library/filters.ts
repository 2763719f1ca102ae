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
  /** Texts within ids, titles, tags, descriptions and mappings; case does not matter. */
  readonly grep: readonly string[];
}

export function isSelective(filters: Filters): boolean {
  return filterNames.some((name) => filters[name].length > 0);
}

type FilterResult<T> =
  | { readonly ok: true; readonly items: readonly T[] }
  | (UnknownValue & {
      readonly ok: false;
      /** The filter with the value; absent for a word. */
      readonly filter?: keyof Filters;
    });

interface UnknownValue {
  readonly message: string;
  readonly hint: string;
}

/** The items that pass and mention every one of the words. A value or word that no document has is an error. */
export function applyFilters<T extends { readonly about: SummaryOrReason }>(
  items: readonly T[],
  filters: Filters,
  words: readonly string[] = [],
): FilterResult<T> {
  const summaries = items.flatMap(({ about }) => (about.ok ? [about.summary] : []));
  const tests: ((summary: DocumentSummary) => boolean)[] = [];
  for (const name of filterNames) {
    if (filters[name].length === 0) continue;
    const there = [...new Set([...known[name], ...summaries.flatMap(valuesOf[name])])];
    const matchers = filters[name].map((wanted) => ({ wanted, matches: createFilterMatcher(name, wanted) }));
    const unknown = matchers.find(({ matches }) => summaries.length > 0 && !there.some(matches));
    if (unknown !== undefined) return { ok: false, filter: name, ...describeUnknownValue(name, unknown.wanted, there) };
    const fits = (value: string): boolean => matchers.some(({ matches }) => matches(value));
    tests.push((summary) =>
      exclusive.has(name) ? valuesOf[name](summary).every(fits) : valuesOf[name](summary).some(fits),
    );
  }
  for (const word of words) {
    const matches = createFilterMatcher('grep', word);
    const mentions = (summary: DocumentSummary): boolean => valuesOf.grep(summary).some(matches);
    if (summaries.length > 0 && !summaries.some(mentions)) return { ok: false, ...describeUnmentioned(word) };
    tests.push(mentions);
  }
  return {
    ok: true,
    items: items.filter(({ about }) => !about.ok || tests.every((test) => test(about.summary))),
  };
}

function describeUnmentioned(word: string): UnknownValue {
  return {
    message: `no document mentions "${escapeInvisible(word)}"`,
    hint: 'ids, titles, tags, descriptions and mappings are searched; oatf list shows every document',
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
  grep: ({ id = '', name, description = '', tags, category = '', mappings }) => [
    [id, name, description, category, ...tags, ...mappings.flatMap(listMappingTexts)].join('\n'),
  ],
};

function listMappingTexts({ framework, id, name = '' }: DocumentSummary['mappings'][number]): readonly string[] {
  return [framework, id, `${framework}:${id}`, name];
}

export const filterNames = Object.keys(valuesOf) as readonly (keyof Filters)[];

export const noFilters = Object.fromEntries(filterNames.map((name) => [name, []])) as unknown as Filters;

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
  grep: [],
};

function createFilterMatcher(name: keyof Filters, wanted: string): (value: string) => boolean {
  if (name === 'id') return createIdMatcher(wanted);
  if (name === 'grep') return (value) => foldSearchText(value).includes(foldSearchText(wanted));
  return (value) => foldFilterValue(value) === foldFilterValue(wanted);
}

/** Lets AG-UI match ag_ui. */
function foldFilterValue(value: string): string {
  return value.toLowerCase().replaceAll('-', '_');
}

/** Lets `rug pull` find `rug-pull` and `rug_pull`. */
function foldSearchText(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, ' ');
}

const mostTold = 12;
const mostSuggested = 5;

/** Values that contain a word, or that it contains, such as `rug-pull` for `rug`. */
function findContaining(word: string, values: readonly string[]): readonly string[] {
  const folded = foldSearchText(word);
  const holds = (value: string): boolean => {
    const other = foldSearchText(value);
    return other.includes(folded) || (other.length > 2 && folded.includes(other));
  };
  return folded.length < 2 ? [] : values.filter(holds).slice(0, mostSuggested);
}

function describeUnknownValue(name: keyof Filters, wanted: string, there: readonly string[]): UnknownValue {
  if (name === 'grep') return describeUnmentioned(wanted);
  const nearest = findNearest(wanted, there);
  const near = nearest === undefined ? findContaining(wanted, there) : [nearest];
  const some = there.slice(0, mostTold).map((value) => escapeInvisible(value));
  const all = there.length > mostTold ? `${some.join(', ')}, …` : some.join(', ');
  return {
    message: `no document has the ${name} "${escapeInvisible(wanted)}"`,
    hint:
      near.length > 0
        ? `did you mean ${near.map((value) => escapeInvisible(value)).join(', ')}?`
        : there.length === 0
          ? `these documents have no ${name}`
          : `here they have ${all}`,
  };
}
