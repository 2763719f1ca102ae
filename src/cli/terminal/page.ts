import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { wrap } from '../../report/text-width.ts';
import type { Colours, Sink } from '../io.ts';

export interface Page {
  readonly colours: Colours;
  readonly width: number;
  readonly labels: number;
}

const widest = 100;

export function createPage({ colours, columns }: Sink, labels = 10): Page {
  return { colours, width: Math.min(columns, widest), labels };
}

/** A label, with its text next to it, wrapped over as many lines as needed. */
export function formatLabelledRow(label: string, text: string, { colours, width, labels }: Page, indent = ''): string {
  const [first = '', ...rest] = wrap(escapeInvisible(text), width, ' '.repeat(indent.length + labels)).split('\n');
  const left = `${indent}${colours.dim(label.padEnd(labels))}`;
  return `${[`${left}${first.trimStart()}`, ...rest].join('\n')}\n`;
}

/** Paragraphs, wrapped between words. */
export function formatProse(text: string, { width }: Page, indent = ''): string {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs
    .map((paragraph) => `${wrap(escapeInvisible(paragraph.replace(/\s+/g, ' ')), width, indent)}\n`)
    .join('\n');
}
