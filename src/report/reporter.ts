import type { SourceRange } from '../model/errors.ts';
import type { DocumentEntry, Results } from '../model/results.ts';
import type { Redactor } from '../secrets/redactor.ts';

/** Turns results into the text of a file. A module of your own gives one under the name `reporter`. */
export type Reporter = (results: Results, context: ReportContext) => string | Promise<string>;

/** What results do not say themselves. */
export interface ReportContext {
  /** Whether evidence is shown as it was; otherwise secrets in it are starred out. */
  readonly showSecrets: boolean;
  /** Takes secrets out of whatever is shown, unless they are asked for. */
  readonly redactor: Redactor;
  /** Where the results lie: `trace` of a run and `source` of a document are relative to it. */
  readonly folder?: string;
  /** The indicators of the document; none where its source is gone. Asked often, so answers are kept. */
  indicators(document: DocumentEntry): readonly IndicatorFacts[];
}

export interface IndicatorFacts {
  readonly id: string;
  readonly tier?: string;
  readonly description?: string;
  /** Where it stands in the document's source. */
  readonly range?: SourceRange;
}
