import type { Match } from '../../format/model/attack-verdict.ts';
import type { CoverageEntry, DeliveryEntry, PieceEntry } from '../../format/model/results-file.ts';
import type { ValueMap } from '../../format/model/value.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { locateQuote } from '../find-evidence.ts';
import type { RunIndicator } from './page-data.ts';
import { readMapField, readMapsField, readNumberField, readTextField, readTextsField } from './stored-fields.ts';

// The facts about a run that results store beside its trace: indicators, coverage, delivery.

export function createRunIndicator(indicator: ValueMap, seq: number | undefined, redactor: Redactor): RunIndicator {
  const match = readMapField(indicator, 'match');
  const [path, projection] = [readTextField(match, 'path'), readTextField(match, 'projection')];
  const evidence = locateQuote(
    {
      evidence: readTextField(indicator, 'evidence'),
      match: path === undefined ? undefined : (match as unknown as Match),
    },
    redactor,
  );
  const error = readTextField(readMapField(indicator, 'error'), 'message');
  const said = evidence ?? (error === undefined ? undefined : { text: redactor.text(error), from: 0, to: 0 });
  return {
    id: readTextField(indicator, 'indicator_id') ?? readTextField(indicator, 'id') ?? '',
    result: readTextField(indicator, 'result') ?? '',
    ...(said !== undefined && { evidence: said }),
    ...(path !== undefined && { path }),
    ...(projection !== undefined && { projection }),
    ...(seq !== undefined && { seq }),
    ...readLooked(readMapField(indicator, 'looked'), redactor),
  };
}

function readLooked(looked: ValueMap, redactor: Redactor): Pick<RunIndicator, 'looked'> {
  const sentence = readTextField(looked, 'sentence');
  if (sentence === undefined) return {};
  const nearest = readNumberField(readMapField(looked, 'nearest'), 'record');
  return { looked: { sentence: redactor.text(sentence), ...(nearest !== undefined && { nearest }) } };
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
  const reason = readTextField(piece, 'reason');
  return {
    actor: readTextField(piece, 'actor') ?? '',
    phase: readTextField(piece, 'phase') ?? '',
    at: readTextField(piece, 'at') ?? '',
    kind: readTextField(piece, 'kind') ?? '',
    label: readTextField(piece, 'label') ?? '',
    delivered: piece.delivered === true,
    needed: piece.needed === true,
    ...(reason !== undefined && { reason }),
  };
}

export function readDelivery(facts: ValueMap): DeliveryEntry {
  const trouble = readTextField(facts, 'trouble') ?? readTextField(facts, 'missed');
  return {
    mode: readTextField(facts, 'mode') ?? '',
    reached: facts.reached === true,
    delivered: facts.delivered === true,
    engaged: facts.engaged === true,
    served: readNumberField(facts, 'served') ?? 0,
    ...(trouble !== undefined && { trouble }),
    eras: readTextsField(facts, 'eras'),
    phases: readTextsField(facts, 'phases'),
    phases_entered: readTextsField(facts, 'phases_entered'),
    phases_seen: readTextsField(facts, 'phases_seen'),
    ...readWaiting(readMapField(facts, 'waiting')),
  };
}

function readWaiting(waiting: ValueMap): Pick<DeliveryEntry, 'waiting'> {
  const [event, count, of] = [
    readTextField(waiting, 'event'),
    readNumberField(waiting, 'count'),
    readNumberField(waiting, 'of'),
  ];
  if (event === undefined || count === undefined || of === undefined) return {};
  return { waiting: { phase: readTextField(waiting, 'phase') ?? '', event, count, of } };
}
