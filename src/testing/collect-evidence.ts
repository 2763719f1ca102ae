import type { AttackVerdict, IndicatorVerdict } from '../format/model/attack-verdict.ts';
import type { NormalizedDocument } from '../format/model/normalized.ts';
import { isMessageRecord, type TraceRecord } from '../format/model/trace-record.ts';
import { rankTier } from '../report/attack-rows.ts';
import { locateQuote } from '../report/find-evidence.ts';
import { selectRedactor } from '../secrets/redactor.ts';
import type { Evidence } from './result.ts';

/** The evidence of every matched indicator, highest tier first, as reports show it. */
export function collectEvidence(
  { attack }: NormalizedDocument,
  { indicatorVerdicts }: AttackVerdict,
  trace: readonly TraceRecord[],
): readonly Evidence[] {
  const redactor = selectRedactor(false);
  const indicators = new Map((attack.indicators ?? []).map((each) => [each.id, each]));
  const toEvidence = (verdict: IndicatorVerdict): Evidence => {
    const { indicatorId, match } = verdict;
    const { tier, description } = indicators.get(indicatorId) ?? {};
    const { text, from, to } = locateQuote(verdict, redactor) ?? { text: '', from: 0, to: 0 };
    return {
      indicator: indicatorId,
      ...(tier !== undefined && { tier }),
      ...(description !== undefined && { description }),
      text,
      from,
      to,
      ...(match !== undefined && { path: match.path }),
      ...(match?.record !== undefined && findRecordPlace(match.record, trace)),
    };
  };
  return indicatorVerdicts
    .filter(({ result }) => result === 'matched')
    .map(toEvidence)
    .sort((a, b) => rankTier(b.tier) - rankTier(a.tier));
}

function findRecordPlace(seq: number, trace: readonly TraceRecord[]): Pick<Evidence, 'record' | 'actor' | 'method'> {
  const record = trace.find((each) => each.seq === seq);
  return record !== undefined && isMessageRecord(record)
    ? { record: seq, actor: record.actor, method: record.method }
    : { record: seq };
}
