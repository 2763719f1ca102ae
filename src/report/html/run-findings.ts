import type { Match } from '../../format/model/attack-verdict.ts';
import type { CoverageEntry, DeliveryEntry, PieceEntry } from '../../format/model/results-file.ts';
import { dropUndefined, type ValueMap } from '../../format/model/value.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { locateQuote } from '../find-evidence.ts';
import type { RunIndicator } from './page-data.ts';
import { readMapField, readMapsField, readNumberField, readTextField, readTextsField } from './stored-fields.ts';

// The facts about a run that results store beside its trace: indicators, coverage, delivery.

/** `aside`: the indicators whose matches do not count. */
export function createRunIndicator(
  indicator: ValueMap,
  seq: number | undefined,
  redactor: Redactor,
  aside: readonly string[],
): RunIndicator {
  const id = readTextField(indicator, 'indicator_id') ?? readTextField(indicator, 'id') ?? '';
  const result = readTextField(indicator, 'result') ?? '';
  const match = readMapField(indicator, 'match');
  const path = readTextField(match, 'path');
  const evidence = locateQuote(
    {
      evidence: readTextField(indicator, 'evidence'),
      match: path === undefined ? undefined : (match as unknown as Match),
    },
    redactor,
  );
  const error = readTextField(readMapField(indicator, 'error'), 'message');
  return dropUndefined({
    id,
    result: result === 'matched' && aside.includes(id) ? 'set_aside' : result,
    evidence: evidence ?? (error === undefined ? undefined : { text: redactor.text(error), from: 0, to: 0 }),
    path,
    projection: readTextField(match, 'projection'),
    seq,
    looked: readLooked(readMapField(indicator, 'looked'), redactor),
  });
}

function readLooked(looked: ValueMap, redactor: Redactor): RunIndicator['looked'] {
  const sentence = readTextField(looked, 'sentence');
  if (sentence === undefined) return undefined;
  const nearest = readNumberField(readMapField(looked, 'nearest'), 'record');
  return dropUndefined({ sentence: redactor.text(sentence), nearest });
}

export function readCoverage(coverage: ValueMap): CoverageEntry | undefined {
  const pieces = readMapsField(coverage, 'pieces').map(readPiece);
  if (pieces.length === 0) return undefined;
  return {
    delivered: pieces.filter(({ delivered }) => delivered).length,
    of: pieces.length,
    inferred: coverage.inferred === true,
    missing: readTextsField(coverage, 'missing'),
    pieces,
  };
}

function readPiece(piece: ValueMap): PieceEntry {
  return dropUndefined({
    actor: readTextField(piece, 'actor') ?? '',
    phase: readTextField(piece, 'phase') ?? '',
    at: readTextField(piece, 'at') ?? '',
    kind: readTextField(piece, 'kind') ?? '',
    label: readTextField(piece, 'label') ?? '',
    delivered: piece.delivered === true,
    needed: piece.needed === true,
    reason: readTextField(piece, 'reason'),
  });
}

export function readDelivery(facts: ValueMap): DeliveryEntry {
  return dropUndefined({
    mode: readTextField(facts, 'mode') ?? '',
    reached: facts.reached === true,
    delivered: facts.delivered === true,
    engaged: facts.engaged === true,
    served: readNumberField(facts, 'served') ?? 0,
    trouble: readTextField(facts, 'trouble') ?? readTextField(facts, 'missed'),
    eras: readTextsField(facts, 'eras'),
    phases: readTextsField(facts, 'phases'),
    phases_entered: readTextsField(facts, 'phases_entered'),
    phases_seen: readTextsField(facts, 'phases_seen'),
    waiting: readWaiting(readMapField(facts, 'waiting')),
  });
}

function readWaiting(waiting: ValueMap): DeliveryEntry['waiting'] {
  const event = readTextField(waiting, 'event');
  const [count, of] = [readNumberField(waiting, 'count'), readNumberField(waiting, 'of')];
  if (event === undefined || count === undefined || of === undefined) return undefined;
  return { phase: readTextField(waiting, 'phase') ?? '', event, count, of };
}
