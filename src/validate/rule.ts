import type { Document } from '../model/document.ts';
import type { Draft } from '../model/draft.ts';
import type { Path } from '../model/path.ts';
import type { RuleId } from '../registry/rules.ts';

/** One violation of a rule, before it gets the rule's id. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string;
  /** The offset of the error in the text, in characters. Default: the whole text. */
  readonly within?: number;
  /** The name that does not resolve. An extension that this rule does not know may declare it. */
  readonly reference?: string;
}

export type Rule = (document: Draft<Document>) => Generator<Finding>;

export type RuleTable = { readonly [Id in RuleId]?: Rule };

export function at(path: Path, message: string, hint?: string): Finding {
  return hint === undefined ? { path, message } : { path, message, hint };
}

/** A value as messages show it: quoted, on one line, shortened. */
export function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? String(value));
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
