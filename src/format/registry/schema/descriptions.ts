import table from '../../../../data/schema-descriptions.json' with { type: 'json' };
import type { FieldName, TypeName } from '../field-table.ts';

// The descriptions of fields in the JSON Schema. They stand apart from the field table, because programs that read documents
// need the table but not these texts.

/** The types of the format that occur in documents. */
export type DocumentType = Exclude<
  TypeName,
  'IndicatorVerdict' | 'Match' | 'Looked' | 'NearMiss' | 'EvaluationSummary' | 'AttackVerdict'
>;

type Descriptions = {
  readonly [T in DocumentType]: { readonly [F in FieldName<T>]: string } & {
    readonly [extension: `x-${string}`]: string;
  };
};

const { operators, types } = table;

export const descriptions: Descriptions = {
  ...types,
  MatchCondition: { ...operators, ...types.MatchCondition },
  PatternMatch: { ...types.PatternMatch, ...operators },
};

/** The page that explains a field further: the specification, or our own page for an extension. */
const pages = {
  format: ['the format', 'https://oatf.io'],
  extension: ['extensions', 'https://github.com/oatf/oatf/blob/main/docs/extensions/README.md'],
} as const;

/** Describes a field and links to its page. Editors show `markdownDescription` with a link to follow. */
export function describeWithLink(text: string, page: keyof typeof pages) {
  const [title, address] = pages[page];
  return { description: `${text} ${address}`, markdownDescription: `${text}\n\n[${title}](${address})` };
}
