import { escapeInvisible } from '../format/model/escape-invisible.ts';
import { type EvidenceFinding, formatMatchPlace } from './find-evidence.ts';
import { formatPlain } from './format-plain.ts';
import { markLine } from './marked-line.ts';
import type { ReportContext } from './reporter.ts';
import { cropEnd } from './text-width.ts';

/**
 * The evidence of an indicator in lines: the text around the match, with carets under the match unless it is the whole
 * text.
 */
export function quoteEvidence({ evidence }: EvidenceFinding, columns: number): readonly string[] {
  if (evidence === undefined) return [];
  const { text, carets } = markLine(evidence.text, evidence.from, evidence.to, columns);
  const isPart = evidence.to > evidence.from && evidence.to - evidence.from < evidence.text.length;
  return isPart ? [text, carets] : [text];
}

const room = 300;

/** The same within a line of prose. */
export function quoteEvidenceBriefly(finding: EvidenceFinding): string {
  return quoteEvidence(finding, room)[0] ?? '';
}

/** The document's description of the indicator. */
export function formatIndicatorDescription({ facts }: EvidenceFinding, context: ReportContext): string | undefined {
  const about = facts?.description?.replace(/\s+/g, ' ').trim() ?? '';
  return about === '' ? undefined : cropEnd(formatPlain(about, context), room);
}

export function formatFindingHead({ indicator, match }: EvidenceFinding): string {
  const where = match === undefined ? '' : ` in ${cropEnd(escapeInvisible(formatMatchPlace(match)), room)}`;
  return `${cropEnd(escapeInvisible(indicator), room)}${where}`;
}
