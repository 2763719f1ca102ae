import { availableParallelism } from 'node:os';
import type { NormalizedDocument } from '../../../format/model/normalized.ts';
import { parseDuration } from '../../../format/primitives/parse-duration.ts';
import { findNearest } from '../../../format/registry/suggestions.ts';
import { mostRuns, ratePattern, shareFrom } from '../../../suite/config/value-patterns.ts';
import type { Shard } from '../../../suite/plan/shard.ts';
import type { Io } from '../../io.ts';
import { refuseFlag, type WrongUsage } from './wrong-usage.ts';

// The meaning of each flag of a suite.

/** A whole number of at least `least`; nothing if no value was typed. */
export function readNumberFlag(
  flag: string,
  typed: string | undefined,
  least: number,
  most: number = mostRuns,
): { readonly value: number | undefined } | WrongUsage {
  if (typed === undefined) return { value: undefined };
  const value = Number(typed);
  if (/^\d{1,10}$/.test(typed) && value >= least && value <= most) return { value };
  return refuseFlag(flag, typed, 'this number is not allowed', `a whole number from ${least} to ${most}`);
}

const unitMs: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000 };

/** The milliseconds between two runs, from a rate such as 2/s. */
export function readRate(typed: string | undefined): { readonly value: number | undefined } | WrongUsage {
  if (typed === undefined) return { value: undefined };
  const [, number = '', unit = ''] = ratePattern.exec(typed) ?? [];
  const span = unitMs[unit];
  if (span === undefined || Number(number) === 0)
    return refuseFlag('rate', typed, 'this is not a rate', 'such as 2/s, 30/m or 100/h');
  return { value: span / Number(number) };
}

export function readDuration(
  flag: string,
  typed: string | undefined,
): { readonly value: number | undefined } | WrongUsage {
  if (typed === undefined) return { value: undefined };
  const seconds = parseDuration(typed);
  if (typeof seconds === 'number') return { value: seconds * 1_000 };
  return refuseFlag(flag, '', seconds.message, seconds.hint ?? 'such as 30s, 5m or PT30S');
}

/** The accepted rate of a document, if one was given for it or for all. */
export type MaxRates = (document: NormalizedDocument) => number | undefined;

export function readMaxRates(
  typed: readonly string[],
  documents: readonly NormalizedDocument[],
): MaxRates | WrongUsage {
  const rates = new Map<string | undefined, number>();
  const names = documents.flatMap(({ attack }) => [attack.id ?? attack.name]);
  for (const text of typed) {
    const at = text.lastIndexOf('=');
    const name = at < 0 ? undefined : text.slice(0, at);
    const rate = shareFrom(text.slice(at + 1));
    if (rate === undefined)
      return refuseFlag('max-rate', text, 'this is not a rate from 0 to 1', 'such as 0.05, 5% or OATS-003=0.2');
    const known = name === undefined ? undefined : names.find((each) => each.toUpperCase() === name.toUpperCase());
    if (name !== undefined && known === undefined)
      return refuseFlag(
        'max-rate',
        text,
        `no document that is run has the id "${name}"`,
        `did you mean ${findNearest(name, names) ?? names[0]}?`,
      );
    if (rates.has(known))
      return refuseFlag('max-rate', text, 'was given already', 'give it once for all documents, and once for each');
    rates.set(known, rate);
  }
  return ({ attack }) => rates.get(attack.id ?? attack.name) ?? rates.get(undefined);
}

/** The lowest accepted utility under attack of an agent, if one was given. */
export function readMinUtility(typed: string | undefined): { readonly value: number | undefined } | WrongUsage {
  if (typed === undefined) return { value: undefined };
  const value = shareFrom(typed);
  return value === undefined
    ? refuseFlag('min-utility', typed, 'this is not a rate from 0 to 1', 'such as 0.8 or 80%')
    : { value };
}

/** The shard to run: as typed, or from the environment of a Kubernetes indexed job. */
export function readShard(
  typed: string | undefined,
  { environment }: Pick<Io, 'environment'>,
): { readonly value: Shard | undefined } | WrongUsage {
  if (typed !== undefined) {
    const shard = parseShardText(typed);
    return shard === undefined
      ? refuseFlag('shard', typed, 'this is not I/N', 'the second of five is 2/5')
      : { value: shard };
  }
  const { OATF_SHARDS: shards, JOB_COMPLETION_INDEX: place } = environment;
  if (shards === undefined || shards === '') return { value: undefined };
  // A Kubernetes job counts its pods from 0.
  const shard = parseShardText(`${Number(place || Number.NaN) + 1}/${shards}`);
  if (shard !== undefined) return { value: shard };
  return {
    message: `OATF_SHARDS=${shards}, JOB_COMPLETION_INDEX=${place ?? ''}: these do not name a shard`,
    hint: 'OATF_SHARDS is the number of completions of a job whose completionMode is Indexed; or say --shard I/N',
  };
}

function parseShardText(text: string): Shard | undefined {
  const [, index = '', of = ''] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  return shard.index >= 1 && shard.index <= shard.of ? shard : undefined;
}

const mostByDefault = 4;

export function chooseConcurrency(): number {
  return Math.max(1, Math.min(mostByDefault, availableParallelism()));
}
