import type { ReportContext } from './reporter.ts';
import { visible } from './visible.ts';

/** A text of a document or a peer, on one line, with nothing hidden in it and no secrets but where they are asked for. */
export function shown(text: string, { redactor }: ReportContext): string {
  return visible(redactor.text(text));
}
