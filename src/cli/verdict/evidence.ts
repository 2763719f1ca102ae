import type { IndicatorVerdict } from '../../model/verdict.ts';
import { maskSpan, type Span } from '../mask.ts';

/** The evidence of a match, with its span found again: offsets are into the value, evidence may be a part of it. */
export function evidenceOf({ evidence, match }: IndicatorVerdict, showSecrets: boolean): Span | undefined {
  if (evidence === undefined) return undefined;
  const label = match?.projection === undefined ? '' : `${match.projection}: `;
  const text = evidence.startsWith(label) ? evidence.slice(label.length) : evidence;
  const { from, to } = match === undefined ? { from: 0, to: 0 } : spanWithin(text, match.from, match.to);
  return showSecrets ? { text, from, to } : maskSpan(text, from, to);
}

const longestEvidence = 500;

function spanWithin(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  const margin = Math.max(0, Math.floor((longestEvidence - (to - from)) / 2));
  const start = Math.max(0, from - margin);
  const shift = start > 0 && text.startsWith('…') ? 1 - start : 0;
  return { from: Math.min(from + shift, text.length), to: Math.min(to + shift, text.length) };
}
