import { type Finding, placeOf } from './evidence.ts';
import { markLine } from './marked-line.ts';
import type { ReportContext } from './reporter.ts';
import { shown } from './shown.ts';
import { visible } from './visible.ts';
import { crop } from './width.ts';

/**
 * The evidence of an indicator in lines: the text around the match, with carets under the match unless it is the whole
 * text.
 */
export function quote({ evidence }: Finding, columns: number): readonly string[] {
  if (evidence === undefined) return [];
  const { text, carets } = markLine(evidence.text, evidence.from, evidence.to, columns);
  const isPart = evidence.to > evidence.from && evidence.to - evidence.from < evidence.text.length;
  return isPart ? [text, carets] : [text];
}

const room = 300;

/** The same within a line of prose. */
export function quoteShortly(finding: Finding): string {
  return quote(finding, room)[0] ?? '';
}

/** The document's description of the indicator. */
export function aboutOf({ facts }: Finding, context: ReportContext): string | undefined {
  const about = facts?.description?.replace(/\s+/g, ' ').trim() ?? '';
  return about === '' ? undefined : crop(shown(about, context), room);
}

/** The indicator and the place of its match. */
export function headOf({ indicator, match }: Finding): string {
  const where = match === undefined ? '' : ` in ${crop(visible(placeOf(match)), room)}`;
  return `${crop(visible(indicator), room)}${where}`;
}
