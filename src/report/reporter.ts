import type { SourceRange } from '../format/model/errors.ts';
import type { DocumentEntry, Results } from '../format/model/results-file.ts';
import type { Redactor } from '../secrets/redactor.ts';

/** Turns results into the text of a file. A module of your own exports one under the name `reporter`. */
export type Reporter = (results: Results, context: ReportContext) => string | Promise<string>;

/** Facts that a reporter needs and results do not contain. */
export interface ReportContext {
  /** Whether evidence is shown unmasked. By default secrets in it are masked. */
  readonly showSecrets: boolean;
  /** Masks secrets in every shown text, unless `showSecrets` is set. */
  readonly redactor: Redactor;
  /** The results folder: `trace` of a run and `source` of a document are relative to it. */
  readonly folder?: string;
  /** The indicators of the document; none if its source is missing. Answers are cached, because reporters ask often. */
  indicators(document: DocumentEntry): readonly IndicatorFacts[];
}

export interface IndicatorFacts {
  readonly id: string;
  readonly tier?: string;
  readonly description?: string;
  /** The position of the indicator in the document's source. */
  readonly range?: SourceRange;
}
