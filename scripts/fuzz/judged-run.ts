import { systemClock } from '../../src/attack/transport/clock.ts';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { evaluateTrace, load, type TraceRecord } from '../../src/index.ts';
import { type PlayOptions, playDocument } from '../../src/suite/play/play-run.ts';
import { attacks } from './frames.ts';

/** The work of one part of the fuzzer, and what it found. */
export interface Finding {
  readonly name: string;
  /** How many frames were recorded, which may be fewer than were sent. */
  readonly count: number;
  readonly unit: string;
  readonly violations: readonly string[];
}

export function attackIn(mode: string): NormalizedDocument {
  const loaded = load(JSON.stringify({ oatf: '0.1', attack: attacks[mode] }));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  return loaded.document;
}

/**
 * A run hangs if nothing is recorded for this long. No run here waits for a person, and a busy machine is only slow.
 */
const patienceMs = 120_000;
const kept = 20_000;

/** Plays a document against a hostile peer, and checks that the run may have the outcome it got. */
export async function judgedRun(
  mode: string,
  options: Omit<PlayOptions, 'clock' | 'record'>,
): Promise<{ readonly recorded: number; readonly violations: readonly string[] }> {
  const document = attackIn(mode);
  const records: TraceRecord[] = [];
  let [recorded, unread] = [0, 0];
  let moved = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setInterval(() => {
      if (performance.now() - moved > patienceMs) resolve('late');
    }, 1_000);
  });
  const playing = playDocument(document, {
    ...options,
    clock: systemClock,
    record(record) {
      moved = performance.now();
      if (records.length < kept) records.push(record);
      if (record.kind === 'malformed') unread += 1;
      if (record.kind === 'malformed' || ('origin' in record && record.origin === 'agent')) recorded += 1;
    },
  }).catch((thrown: unknown) => ({ thrown }));
  const played = await Promise.race([playing, late]);
  clearInterval(timer);
  if (played === 'late') return { recorded, violations: [`${mode}: the run did not end`] };
  if ('thrown' in played) return { recorded, violations: [`${mode}: crashed: ${String(played.thrown)}`] };
  const { outcome, reason } = played;
  const violations: string[] = [];
  if (outcome === 'error') violations.push(`${mode}: error: ${reason}`);
  if (outcome === 'exploited') violations.push(`${mode}: exploited by what nobody said`);
  if (outcome === 'resisted' && unread > 0) violations.push(`${mode}: resisted, with ${unread} unread`);
  if (records.length < kept) {
    const again = evaluateTrace(document, records).outcome;
    if (again !== outcome) violations.push(`${mode}: ${outcome} when played, ${again} by its trace`);
  }
  return { recorded, violations };
}
