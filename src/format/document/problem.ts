import type { ParseErrorKind } from '../model/enumeration-types.ts';
import type { Path } from '../model/path.ts';

/** A parse error, before its offsets are converted to lines and columns. */
export interface DocumentProblem {
  readonly kind: ParseErrorKind;
  readonly message: string;
  readonly path: Path;
  /** Offsets into the text. */
  readonly from: number;
  readonly to: number;
  readonly rule?: string;
  readonly hint?: string;
}
