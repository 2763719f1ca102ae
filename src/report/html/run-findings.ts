import type { ValueMap } from '../../model/value.ts';
import type { Match } from '../../model/verdict.ts';
import { protocolOf } from '../../registry/modes.ts';
import { eraInWords } from '../../registry/protocols.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { evidenceOf } from '../evidence.ts';
import type { RunDelivery, RunIndicator, RunPart } from './page-data.ts';
import { mapIn, mapsIn, numberIn, textIn, textsIn } from './stored.ts';

// The facts about a run that results store beside its trace: indicators, coverage, delivery.

export function indicatorOf(indicator: ValueMap, seq: number | undefined, redactor: Redactor): RunIndicator {
  const match = mapIn(indicator, 'match');
  const [path, projection] = [textIn(match, 'path'), textIn(match, 'projection')];
  const evidence = evidenceOf(
    {
      evidence: textIn(indicator, 'evidence'),
      match: path === undefined ? undefined : (match as unknown as Match),
    },
    redactor,
  );
  const error = textIn(mapIn(indicator, 'error'), 'message');
  const said = evidence ?? (error === undefined ? undefined : { text: redactor.text(error), from: 0, to: 0 });
  return {
    id: textIn(indicator, 'indicator_id') ?? textIn(indicator, 'id') ?? '',
    result: textIn(indicator, 'result') ?? '',
    ...(said !== undefined && { evidence: said }),
    ...(path !== undefined && { path }),
    ...(projection !== undefined && { projection }),
    ...(seq !== undefined && { seq }),
    ...lookedOf(mapIn(indicator, 'looked'), redactor),
  };
}

function lookedOf(looked: ValueMap, redactor: Redactor): Pick<RunIndicator, 'looked'> {
  const sentence = textIn(looked, 'sentence');
  if (sentence === undefined) return {};
  const nearest = numberIn(mapIn(looked, 'nearest'), 'record');
  return { looked: { sentence: redactor.text(sentence), ...(nearest !== undefined && { nearest }) } };
}

export function coverageOf(entry: ValueMap, redactor: Redactor): Pick<RunPart, 'coverage'> {
  const coverage = mapIn(entry, 'coverage');
  const pieces = mapsIn(coverage, 'pieces');
  if (pieces.length === 0) return {};
  const demand = textIn(entry, 'demand');
  return {
    coverage: {
      ...(demand !== undefined && { demand }),
      inferred: coverage.inferred === true,
      missing: textsIn(coverage, 'missing').map(redactor.text),
      pieces: pieces.map((piece) => {
        const reason = textIn(piece, 'reason');
        return {
          actor: textIn(piece, 'actor') ?? '',
          phase: textIn(piece, 'phase') ?? '',
          at: textIn(piece, 'at') ?? '',
          label: redactor.text(textIn(piece, 'label') ?? ''),
          delivered: piece.delivered === true,
          needed: piece.needed === true,
          ...(reason !== undefined && { reason: redactor.text(reason) }),
        };
      }),
    },
  };
}

export function deliveryOf(delivery: ValueMap, redactor: Redactor): readonly RunDelivery[] {
  return Object.keys(delivery).map((actor) => {
    const facts = mapIn(delivery, actor);
    const trouble = textIn(facts, 'trouble') ?? textIn(facts, 'missed');
    const mode = textIn(facts, 'mode') ?? '';
    return {
      actor,
      mode,
      reached: facts.reached === true,
      delivered: facts.delivered === true,
      engaged: facts.engaged === true,
      served: numberIn(facts, 'served') ?? 0,
      ...(trouble !== undefined && { trouble: redactor.text(trouble) }),
      eras: textsIn(facts, 'eras').map((era) => eraInWords(protocolOf(mode), era)),
      phases: textsIn(facts, 'phases'),
      entered: textsIn(facts, 'phases_entered'),
      seen: textsIn(facts, 'phases_seen'),
      ...waitingOf(mapIn(facts, 'waiting')),
    };
  });
}

function waitingOf(waiting: ValueMap): Pick<RunDelivery, 'waiting'> {
  const [event, count, of] = [textIn(waiting, 'event'), numberIn(waiting, 'count'), numberIn(waiting, 'of')];
  return event === undefined || count === undefined || of === undefined
    ? {}
    : { waiting: `${event} ${count} of ${of}` };
}
