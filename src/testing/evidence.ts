import type { NormalizedDocument } from '../model/normalized.ts';
import { isMessageRecord, type TraceRecord } from '../model/trace.ts';
import type { AttackVerdict, IndicatorVerdict } from '../model/verdict.ts';
import { tierRank } from '../report/attacks.ts';
import { evidenceOf } from '../report/evidence.ts';
import { redactorFor } from '../secrets/redactor.ts';
import type { Evidence } from './result.ts';

/** The evidence of every matched indicator, highest tier first, as reports show it. */
export function evidenceIn(
  { attack }: NormalizedDocument,
  { indicatorVerdicts }: AttackVerdict,
  trace: readonly TraceRecord[],
): readonly Evidence[] {
  const redactor = redactorFor(false);
  const indicators = new Map((attack.indicators ?? []).map((each) => [each.id, each]));
  const toEvidence = (verdict: IndicatorVerdict): Evidence => {
    const { indicatorId, match } = verdict;
    const { tier, description } = indicators.get(indicatorId) ?? {};
    const { text, from, to } = evidenceOf(verdict, redactor) ?? { text: '', from: 0, to: 0 };
    return {
      indicator: indicatorId,
      ...(tier !== undefined && { tier }),
      ...(description !== undefined && { description }),
      text,
      from,
      to,
      ...(match !== undefined && { path: match.path }),
      ...(match?.record !== undefined && placeOf(match.record, trace)),
    };
  };
  return indicatorVerdicts
    .filter(({ result }) => result === 'matched')
    .map(toEvidence)
    .sort((a, b) => tierRank(b.tier) - tierRank(a.tier));
}

function placeOf(seq: number, trace: readonly TraceRecord[]): Pick<Evidence, 'record' | 'actor' | 'method'> {
  const record = trace.find((each) => each.seq === seq);
  return record !== undefined && isMessageRecord(record)
    ? { record: seq, actor: record.actor, method: record.method }
    : { record: seq };
}
