import type { ReportContext } from './reporter.ts';
import { visible } from './visible.ts';

/**
 * A text of a document or a peer on one line, with hidden characters spelt out and secrets masked unless they were
 * asked for.
 */
export function shown(text: string, { redactor }: ReportContext): string {
  return visible(redactor.text(text));
}
