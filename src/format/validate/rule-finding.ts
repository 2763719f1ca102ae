import type { Document } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import type { Path } from '../model/path.ts';
import type { RuleId } from '../registry/rules.ts';
import { findNearest } from '../registry/suggestions.ts';

/** One violation of a rule, before it gets the rule's id. */
export interface RuleFinding {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string;
  /** The offset of the error in the text, in characters. Default: the whole text. */
  readonly within?: number;
  /** The name that does not resolve. An extension that this rule does not know may declare it. */
  readonly reference?: string;
}

export type RuleCheck = (document: Draft<Document>) => Generator<RuleFinding>;

export type RuleTable = { readonly [Id in RuleId]?: RuleCheck };

export function createFinding(path: Path, message: string, hint?: string): RuleFinding {
  return hint === undefined ? { path, message } : { path, message, hint };
}

/** The reference to a protocol. The blank keeps it apart from the names of extractors. */
export function createProtocolReference(protocol: string): string {
  return `protocol ${protocol}`;
}

/** A finding with the rule that it breaks. */
export function createViolation<Rule extends string>(
  rule: Rule,
  path: Path,
  message: string,
  hint?: string,
): RuleFinding & { readonly rule: Rule } {
  return { rule, ...createFinding(path, message, hint) };
}

/** The hint for an unknown key: the known key that is near, or else `otherwise`. */
export function suggestKey(key: string, known: readonly string[], otherwise?: string): string | undefined {
  const meant = findNearest(key, known);
  return meant === undefined ? otherwise : `did you mean \`${meant}\`?`;
}

/** A value as messages show it: quoted, on one line, shortened. */
export function quoteValue(value: unknown): string {
  return shortenQuote(JSON.stringify(value) ?? String(value));
}

export function shortenQuote(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
