import type { ParseErrorKind } from '../format/model/enumeration-types.ts';
import {
  canaryRules,
  checkRules,
  decodeRules,
  generateRules,
  markRules,
  normalizationSteps,
  ownWireRules,
  planRules,
  rules,
  runWarnings,
} from '../format/registry/rules.ts';
import { readPackageFile } from './package-file.ts';

// The texts of `oatf explain CODE` are the pages of docs/codes, which the package contains. The clause and the wording of
// each rule are in the registry.

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

/** Rules of this tool that the format does not have. */
export const ownRules = {
  ...markRules,
  ...checkRules,
  ...planRules,
  ...decodeRules,
  ...canaryRules,
  ...generateRules,
  ...ownWireRules,
};

const codes = { ...rules, ...ownRules, ...runWarnings, ...normalizationSteps, ...parseErrorKinds };

export type ExplainedCode = keyof typeof codes;

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

/** The pages about our extensions, by the rules of each. */
const extensionPages: readonly (readonly [page: string, rules: object])[] = [
  ['await', { 'O-206': true }],
  ['payload', markRules],
  ['generate', generateRules],
  ['task', checkRules],
  ['plan', planRules],
  ['decode', decodeRules],
  ['canaries', canaryRules],
  ['wire', ownWireRules],
];

/** The clause of the specification: that of the format spec, or of the SDK spec for what only tools do. */
export function findSpecClause(code: ExplainedCode): string {
  const [extension] = extensionPages.find(([, rules]) => Object.hasOwn(rules, code)) ?? [];
  if (extension !== undefined) return `an extension of this tool, docs/extensions/${extension}.md`;
  const clauses: { readonly [code: string]: { readonly specRef: string } } = { ...rules, ...runWarnings };
  const rule = Object.hasOwn(clauses, code) ? clauses[code] : undefined;
  if (rule !== undefined) return `OATF 0.1 ${rule.specRef}`;
  return code.startsWith('N-') ? 'OATF 0.1 SDK §3.3' : 'OATF 0.1 SDK §3.1';
}
