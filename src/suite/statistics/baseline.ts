import { parse, YAMLError } from 'yaml';
import {
  type AttackStatistics,
  type AttackStatus,
  type Cause,
  causes,
  createAttackKey,
  type Results,
} from '../../format/model/results-file.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import { nameWithFile } from '../plan/plan.ts';
import { tiers } from './fail-tier.ts';

// The accepted verdicts, in a file to commit and review: one line for each attack.

export interface BaselineEntry {
  /** The document's name, as in `AttackStatistics`. */
  readonly document: string;
  readonly agent: string;
  readonly status: AttackStatus;
  /** The accepted causes of inconclusive runs; entries of version 1 have none, and accept none. */
  readonly causes?: readonly Cause[];
  /** The number of successes among the runs that could be judged. */
  readonly success: { readonly count: number; readonly of: number };
  /** The most severe tier that the attack reached. */
  readonly tier?: string;
  /** The path of the document, unless it is in the library. */
  readonly path?: string;
}

export interface Baseline {
  /** In version 1, an attack that had not reached the agent could be called resisted. */
  readonly version: 1 | 2;
  readonly entries: readonly BaselineEntry[];
}

/** A new baseline made from results, and the attacks that it cannot accept. */
export interface BlessedBaseline {
  readonly baseline: Baseline;
  readonly refused: readonly AttackStatistics[];
}

/**
 * Makes a baseline from results. An error of ours is never accepted. Inconclusive attacks are accepted only if asked
 * for, each with its causes.
 */
export function createBaseline({ statistics, runs }: Results, acceptsInconclusive: boolean): BlessedBaseline {
  const pathOf = indexPathsByName({ runs });
  const isRefused = ({ status, causes = [] }: AttackStatistics): boolean =>
    status === 'error' || (status === 'inconclusive' && !(acceptsInconclusive && causes.length > 0));
  const accepted = statistics.attacks.filter((attack) => !isRefused(attack));
  const entries = accepted.map((attack): BaselineEntry => {
    const { document, agent, status, causes } = attack;
    const success = attack.failures ?? attack.success;
    const tier = findMostSevereTier(attack);
    const path = pathOf.get(document);
    return {
      document,
      agent,
      status,
      ...(acceptsInconclusive && causes !== undefined && { causes }),
      success: { count: success.count, of: success.of },
      ...(tier !== undefined && { tier }),
      // In the library, the path of a document is its id.
      ...(path !== undefined && path !== document && { path }),
    };
  });
  return {
    baseline: { version: 2, entries: entries.sort(compareEntryNames) },
    refused: statistics.attacks.filter(isRefused),
  };
}

/** The paths of documents by their names. Where documents share a name, it contains the file. */
export function indexPathsByName({ runs = [] }: Partial<Pick<Results, 'runs'>>): ReadonlyMap<string, string> {
  const attacks = runs.filter(({ twin }) => !twin);
  return new Map(
    attacks.flatMap(({ document: { id, name, path } }) => [
      [id ?? name, path],
      [nameWithFile(id ?? name, path), path],
    ]),
  );
}

function compareEntryNames(a: BaselineEntry, b: BaselineEntry): number {
  return compareTexts(a.document, b.document) || compareTexts(a.agent, b.agent);
}

/** Compares by code units, so that the order is the same on every machine, whatever its language. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The most severe tier that the attack reached. */
export function findMostSevereTier({ tiers }: AttackStatistics): string | undefined {
  return Object.entries(tiers).findLast(([, { count }]) => count > 0)?.[0];
}

const heading =
  '# Verdicts that are accepted, by document and agent. oatf bless writes this; oatf run --baseline reads it.\n';

export function writeBaselineYaml({ entries }: Baseline): string {
  const lines = entries.map((entry) => {
    const fields = Object.entries(entryToJson(entry)).map(
      ([key, value]) => `${key}: ${formatYamlScalar(String(value))}`,
    );
    return `  - { ${fields.join(', ')} }\n`;
  });
  return `${heading}version: 2\nattacks:${lines.length === 0 ? ' []' : ''}\n${lines.join('')}`;
}

export function writeBaselineJson({ entries }: Baseline): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(entryToJson(entry))}`);
  return `{\n  "version": 2,\n  "attacks": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function entryToJson({ document, agent, status, causes, success, tier, path }: BaselineEntry): ValueMap {
  return {
    document,
    agent,
    status,
    ...(causes !== undefined && { cause: causes.join(', ') }),
    success: `${success.count}/${success.of}`,
    ...(tier !== undefined && { tier }),
    ...(path !== undefined && { path }),
  };
}

/** Writes a text without quotes where every YAML reader takes it as that text. */
function formatYamlScalar(text: string): string {
  return /^(?:[A-Za-z_][\w./-]*|\d+\/\d+)$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

export type ReadBaseline =
  | { readonly ok: true; readonly baseline: Baseline }
  | { readonly ok: false; readonly reason: string };

/** Reads YAML or JSON; JSON is YAML, too. */
export function readBaseline(text: string): ReadBaseline {
  let value: Value;
  try {
    value = parse(text, { maxAliasCount: 0, schema: 'core' });
  } catch (thrown) {
    if (!(thrown instanceof YAMLError) && !(thrown instanceof ReferenceError)) throw thrown;
    return { ok: false, reason: thrown.message.split('\n')[0] ?? 'it is not YAML' };
  }
  const version = isValueMap(value) ? versions.find((each) => each === value.version) : undefined;
  if (!isValueMap(value) || version === undefined || !Array.isArray(value.attacks))
    return { ok: false, reason: 'it is not a baseline: a baseline has `version: 2` and a list of `attacks`' };
  const entries: BaselineEntry[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.attacks.entries()) {
    const entry = readBaselineEntry(item, version);
    if (typeof entry === 'string') return { ok: false, reason: `attacks[${index}]: ${entry}` };
    const key = createAttackKey(entry);
    if (seen.has(key))
      return {
        ok: false,
        reason: `attacks[${index}]: ${entry.document} against ${entry.agent} has an entry already`,
      };
    seen.add(key);
    entries.push(entry);
  }
  return { ok: true, baseline: { version, entries } };
}

const versions = [1, 2] as const;

/** The statuses that entries may have; since version 2 no entry accepts an error of ours. */
const statuses: { readonly [V in Baseline['version']]: readonly AttackStatus[] } = {
  1: ['exploited', 'flaky', 'resisted', 'not_applicable', 'inconclusive', 'error'],
  2: ['exploited', 'flaky', 'tolerated', 'resisted', 'not_applicable', 'inconclusive'],
};

function readBaselineEntry(item: Value, version: Baseline['version']): BaselineEntry | string {
  if (!isValueMap(item)) return 'this is no entry';
  const { document, agent, tier, path } = item;
  if (typeof document !== 'string' || document === '') return '`document` is missing';
  if (typeof agent !== 'string' || agent === '') return '`agent` is missing';
  const status = statuses[version].find((each) => each === item.status);
  if (status === undefined)
    return item.status === 'error'
      ? '`status`: a run in error cannot be accepted'
      : `\`status\` is one of ${statuses[version].join(', ')}`;
  const saysWhy = status === 'inconclusive' || item.cause !== undefined;
  const accepted = version === 2 && saysWhy ? readCauses(item.cause) : undefined;
  if (typeof accepted === 'string') return accepted;
  const [, count, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(String(item.success)) ?? [];
  if (count === undefined || of === undefined || Number(count) > Number(of))
    return '`success` says how often of how many, such as 3/20';
  if (tier !== undefined && !tiers.some((each) => each === tier)) return `\`tier\` is one of ${tiers.join(', ')}`;
  const hasSucceeded = status === 'exploited' || status === 'flaky';
  if (Number(count) > 0 !== hasSucceeded)
    return `\`status\` ${status} and \`success\` ${count}/${of} contradict each other`;
  return {
    document,
    agent,
    status,
    ...(accepted !== undefined && { causes: accepted }),
    success: { count: Number(count), of: Number(of) },
    ...(typeof tier === 'string' && { tier }),
    ...(typeof path === 'string' && { path }),
  };
}

/** Reads one cause, or several separated by commas. */
function readCauses(written: Value | undefined): readonly Cause[] | string {
  const names = typeof written === 'string' ? written.split(',').map((name) => name.trim()) : [];
  const unknown = names.find((name) => !causes.some((cause) => cause === name));
  if (names.length > 0 && unknown === undefined) return causes.filter((cause) => names.includes(cause));
  const near = unknown === undefined ? undefined : findNearest(unknown, causes);
  return near === undefined
    ? `\`cause\` says why it is inconclusive: ${causes.join(', ')}`
    : `\`cause\`: there is no "${unknown}"; did you mean ${near}?`;
}
