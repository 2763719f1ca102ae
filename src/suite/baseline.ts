import { parse, YAMLError } from 'yaml';
import type { AttackStatistics, AttackStatus, Results } from '../model/results.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';

// The verdicts that are accepted, as a file to be committed and reviewed: a line for each attack.

export interface BaselineEntry {
  /** As `AttackStatistics` names it. */
  readonly document: string;
  readonly agent: string;
  readonly status: AttackStatus;
  /** Of the runs that could be judged, those in which the attack succeeded. */
  readonly success: { readonly count: number; readonly of: number };
  /** The gravest tier that was reached. */
  readonly tier?: string;
  /** Where the document was, unless it is one of the library. */
  readonly path?: string;
}

export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

/** What a run of everything is to be held against from now on. */
export function baselineOf({ statistics, runs }: Results): Baseline {
  const pathOf = new Map(runs.map(({ document }) => [document.id ?? document.name, document]));
  const entries = statistics.attacks.map((attack): BaselineEntry => {
    const { document, agent, status, success } = attack;
    const tier = gravestTier(attack);
    const source = pathOf.get(document);
    return {
      document,
      agent,
      status,
      success: { count: success.count, of: success.of },
      ...(tier !== undefined && { tier }),
      ...(source !== undefined && source.path !== source.id && { path: source.path }),
    };
  });
  return { entries: entries.sort(byName) };
}

function byName(a: BaselineEntry, b: BaselineEntry): number {
  return compareTexts(a.document, b.document) || compareTexts(a.agent, b.agent);
}

/** The same on every machine, whatever its language. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function gravestTier({ tiers }: AttackStatistics): string | undefined {
  return Object.entries(tiers).findLast(([, { count }]) => count > 0)?.[0];
}

const heading =
  '# Verdicts that are accepted, by document and agent. oatf bless writes this; oatf run --baseline reads it.\n';

export function baselineToYaml({ entries }: Baseline): string {
  const lines = entries.map((entry) => {
    const fields = Object.entries(toJson(entry)).map(([key, value]) => `${key}: ${scalar(String(value))}`);
    return `  - { ${fields.join(', ')} }\n`;
  });
  return `${heading}version: 1\nattacks:${lines.length === 0 ? ' []' : ''}\n${lines.join('')}`;
}

export function baselineToJson({ entries }: Baseline): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(toJson(entry))}`);
  return `{\n  "version": 1,\n  "attacks": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function toJson({ document, agent, status, success, tier, path }: BaselineEntry): ValueMap {
  return {
    document,
    agent,
    status,
    success: `${success.count}/${success.of}`,
    ...(tier !== undefined && { tier }),
    ...(path !== undefined && { path }),
  };
}

/** Bare where no reader could take it for anything but this text. */
function scalar(text: string): string {
  return /^(?:[A-Za-z_][\w./-]*|\d+\/\d+)$/.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

export type ReadBaseline =
  | { readonly ok: true; readonly baseline: Baseline }
  | { readonly ok: false; readonly reason: string };

/** Reads YAML or JSON, which is YAML, too. */
export function readBaseline(text: string): ReadBaseline {
  let value: Value;
  try {
    value = parse(text, { maxAliasCount: 0, schema: 'core' });
  } catch (thrown) {
    if (!(thrown instanceof YAMLError) && !(thrown instanceof ReferenceError)) throw thrown;
    return { ok: false, reason: thrown.message.split('\n')[0] ?? 'it is no YAML' };
  }
  if (!isValueMap(value) || value.version !== 1 || !Array.isArray(value.attacks))
    return { ok: false, reason: 'it is no baseline: it has `version: 1` and a list of `attacks`' };
  const entries: BaselineEntry[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.attacks.entries()) {
    const entry = entryOf(item);
    if (typeof entry === 'string') return { ok: false, reason: `attacks[${index}]: ${entry}` };
    const key = JSON.stringify([entry.document, entry.agent]);
    if (seen.has(key))
      return {
        ok: false,
        reason: `attacks[${index}]: ${entry.document} against ${entry.agent} has an entry already`,
      };
    seen.add(key);
    entries.push(entry);
  }
  return { ok: true, baseline: { entries } };
}

const statuses: readonly AttackStatus[] = [
  'exploited',
  'flaky',
  'resisted',
  'not_applicable',
  'inconclusive',
  'error',
];

function entryOf(item: Value): BaselineEntry | string {
  if (!isValueMap(item)) return 'this is no entry';
  const { document, agent, tier, path } = item;
  if (typeof document !== 'string' || document === '') return '`document` is missing';
  if (typeof agent !== 'string' || agent === '') return '`agent` is missing';
  const status = statuses.find((each) => each === item.status);
  if (status === undefined) return `\`status\` is one of ${statuses.join(', ')}`;
  const [, count, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(String(item.success)) ?? [];
  if (count === undefined || of === undefined || Number(count) > Number(of))
    return '`success` says how often of how many, such as 3/20';
  return {
    document,
    agent,
    status,
    success: { count: Number(count), of: Number(of) },
    ...(typeof tier === 'string' && { tier }),
    ...(typeof path === 'string' && { path }),
  };
}
