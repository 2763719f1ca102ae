import type {
  DecodeRuleId,
  GenerateRuleId,
  MarkRuleId,
  normalizationSteps,
  RuleId,
  runWarnings,
  TaskRuleId,
  WireRuleId,
} from '../../registry/rules.ts';

export type ExplainedCode =
  | RuleId
  | MarkRuleId
  | TaskRuleId
  | DecodeRuleId
  | WireRuleId
  | GenerateRuleId
  | keyof typeof normalizationSteps
  | keyof typeof runWarnings
  | 'syntax'
  | 'type_mismatch'
  | 'unknown_variant';

export interface Explanation {
  readonly title: string;
  readonly why: string;
  /** A document with the problem; for a normalization step, the document before it. */
  readonly wrong: string;
  /** The same document, corrected; for a normalization step, the document after it. */
  readonly right: string;
}

export type Explanations = { readonly [C in ExplainedCode]: Explanation };

/** Makes both documents from one diff: lines with `-` are only in `wrong`, lines with `+` only in `right`. */
export function mend(text: TemplateStringsArray): Pick<Explanation, 'wrong' | 'right'> {
  // Raw, so that a backslash in a document is written once.
  const lines = String.raw(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const gutter = Math.min(...lines.map((line) => line.search(/\S/)));
  const without = (mark: '-' | '+') =>
    lines
      .filter((line) => line[gutter] !== mark)
      .map((line) => `${line.slice(gutter + 2)}\n`)
      .join('');
  return { wrong: without('+'), right: without('-') };
}
