import type { ParseErrorKind } from '../format/model/enumeration-types.ts';
import {
  type DecodeRuleId,
  decodeRules,
  type GenerateRuleId,
  generateRules,
  type MarkRuleId,
  markRules,
  normalizationSteps,
  ownWireRules,
  type RuleId,
  rules,
  runWarnings,
  type TaskRuleId,
  taskRules,
  type WireRuleId,
} from '../format/registry/rules.ts';
import { readPackageFile } from './package-file.ts';

// The texts of `oatf explain CODE` are the pages of docs/codes, which the package contains. The clause and the wording of
// each rule are in the registry.

export type ExplainedCode =
  | RuleId
  | MarkRuleId
  | TaskRuleId
  | DecodeRuleId
  | GenerateRuleId
  | WireRuleId
  | keyof typeof runWarnings
  | keyof typeof normalizationSteps
  | ParseErrorKind;

export interface Explanation {
  readonly title: string;
  readonly why: string;
  /** A document with the problem; for a normalization step, the document before it. */
  readonly wrong: string;
  /** The same document, corrected; for a normalization step, the document after it. */
  readonly right: string;
}

const parseErrorKinds: { readonly [K in ParseErrorKind]: true } = {
  syntax: true,
  type_mismatch: true,
  unknown_variant: true,
};

const codes = {
  ...rules,
  ...markRules,
  ...taskRules,
  ...decodeRules,
  ...generateRules,
  ...ownWireRules,
  ...runWarnings,
  ...normalizationSteps,
  ...parseErrorKinds,
} satisfies { readonly [C in ExplainedCode]: unknown };

export const explainedCodes = Object.keys(codes) as readonly ExplainedCode[];

export function isExplained(code: string): code is ExplainedCode {
  return Object.hasOwn(codes, code);
}

/** Reads the page of a code. A test checks that each code has one. */
export function readExplanation(code: ExplainedCode): Explanation {
  const explanation = parseExplanation(readPackageFile('docs', 'codes', `${code}.md`));
  if (explanation === undefined) throw new Error(`docs/codes/${code}.md is not the explanation of a code`);
  return explanation;
}

const example = String.raw`## \w+\n\n${'```'}yaml \w+\n([^]*?)${'```'}\n`;
const page = new RegExp(String.raw`^# \w[\w-]*: (.+)\n\n([^]+?)\n\n${example}\n${example}$`);

/** A title, one paragraph and two documents. */
function parseExplanation(markdown: string): Explanation | undefined {
  const found = page.exec(markdown.replaceAll('\r\n', '\n'));
  if (found === null) return undefined;
  const [, title = '', paragraph = '', wrong = '', right = ''] = found;
  return { title, why: paragraph.replaceAll('\n', ' '), wrong, right };
}
