import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import type { Cause, RunOutcome, TraceRecord, ValueMap } from '../../src/index.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../src/suite/play/play-run.ts';
import { a2aServerMode, mcpServerMode } from '../../src/suite/play/playable-modes.ts';
import { readTrace } from '../support/read-trace.ts';
import { documentWith } from '../support/records.ts';
import { onStage, type Stage } from './stage.ts';

/** An agent or a peer, and its transport. */
export interface Peer {
  /** Its name in the table of the documentation. */
  readonly over: string;
  /** Prepares it, and returns how the document is played against it. */
  open(stage: Stage): Partial<PlayOptions> | Promise<Partial<PlayOptions>>;
  /** The same one in MCP 2026-07-28. */
  readonly modern?: Peer;
  /** The same one in MCP 2026-07-28 over standard streams. */
  readonly lines?: Peer;
}

export type Outcome = 'exploited' | 'partial' | 'resisted' | 'error' | 'not_applicable' | `inconclusive, ${Cause}`;

/** The behaviour of a peer, in the words of the documentation, and the one outcome that it earns. */
export interface Row {
  readonly mode: string;
  readonly does: string;
  /** The document, in the same words. */
  readonly attack: Attack;
  readonly peer: Peer;
  readonly outcome: Outcome;
  /** Words that the reason must contain. */
  readonly says?: string;
}

/** A small document. */
export interface Attack {
  /** The place of its attack. */
  readonly where: string;
  readonly written: ValueMap;
}

export type Written = readonly [does: string, attack: Attack, peer: Peer, outcome: Outcome, says?: string];

/** The rows of a mode. */
export function rowsOf(mode: string, rows: readonly Written[]): readonly Row[] {
  return rows.map(([does, attack, peer, outcome, says]) => ({
    mode,
    does,
    attack,
    peer,
    outcome,
    ...(says !== undefined && { says }),
  }));
}

/** Another outcome since 2026-07-28; `gone` if the behaviour is no longer possible. */
export type Difference = Pick<Row, 'outcome' | 'says' | 'does'> | 'gone';

/** Behaviours that earn another outcome since 2026-07-28, by name. */
export type Differences = ReadonlyMap<string, Difference>;

/** The rows of agents that speak both eras, in the new one; over the same transport, or over standard streams. */
export function againSince2026(
  rows: readonly Row[],
  differences: Differences,
  by: 'modern' | 'lines' = 'modern',
): readonly Row[] {
  return rows.flatMap(({ peer, ...row }) => {
    const different = differences.get(row.does);
    const again = peer[by];
    return again === undefined || different === 'gone' ? [] : [{ ...row, ...different, peer: again }];
  });
}

export interface PlayedRow {
  readonly document: NormalizedDocument;
  readonly result: PlayResult;
  /** The records as they were stored. */
  readonly trace: readonly TraceRecord[];
}

const documents = new WeakMap<Attack, NormalizedDocument>();

/** Many rows play the same attack, so its document is loaded once. */
function documentOf(attack: Attack): NormalizedDocument {
  const document = documents.get(attack) ?? documentWith(attack.written);
  documents.set(attack, document);
  return document;
}

/** Plays a row over the wire. */
export function playRow({ attack, peer }: Row): Promise<PlayedRow> {
  return onStage(async (stage) => {
    const document = documentOf(attack);
    const traceFile = join(process.env.OATF_TEST_FOLDER ?? tmpdir(), `honesty-${randomUUID()}.jsonl`);
    stage.afterwards(() => rmSync(traceFile, { force: true }));
    const result = await playDocument(document, {
      modes: [mcpServerMode(), a2aServerMode()],
      clock: stage.clock,
      signal: stage.signal,
      traceFile,
      ...(await peer.open(stage)),
    });
    return { document, result, trace: readTrace(traceFile, document) };
  });
}

export function nameOf({ outcome, cause }: RunOutcome): Outcome {
  return outcome === 'inconclusive' ? `inconclusive, ${cause as Cause}` : outcome;
}
