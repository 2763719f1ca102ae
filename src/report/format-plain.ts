import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type { ReportContext } from './reporter.ts';

/**
 * A text of a document or a peer on one line, with hidden characters spelt out and secrets masked unless the user asked
 * to see them.
 */
export function formatPlain(text: string, { redactor }: Pick<ReportContext, 'redactor'>): string {
  return escapeInvisible(redactor.text(text));
}
