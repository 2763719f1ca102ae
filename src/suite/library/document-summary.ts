import { includedViews } from '../../attack/bindings/included-views.ts';
import { normalize } from '../../format/document/normalize-document.ts';
import { parse } from '../../format/document/parse.ts';
import { findDocumentMarks } from '../../format/extensions/read-marks.ts';
import type { Execution, FrameworkMapping } from '../../format/model/attack-document.ts';
import type {
  Category,
  Impact,
  Mode,
  Protocol,
  SeverityLevel,
  Status,
  Tier,
} from '../../format/model/enumeration-types.ts';
import { findAttackReach } from '../../judgement/judge/needs.ts';

/** The facts that a catalogue lists about a document. Lists are in the document's order, each member once. */
export interface DocumentSummary {
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly status: Status;
  readonly severity?: SeverityLevel;
  readonly category?: Category;
  readonly impact: readonly Impact[];
  readonly tags: readonly string[];
  /** The protocols over which it attacks. */
  readonly protocols: readonly Protocol[];
  readonly modes: readonly Mode[];
  /** Surfaces that an agent must have for the attack to reach it, under the names that `without` of a target uses. */
  readonly surfaces: readonly string[];
  readonly tiers: readonly Tier[];
  readonly mappings: readonly FrameworkMapping[];
}

export type SummaryOrReason =
  | { readonly ok: true; readonly summary: DocumentSummary }
  | { readonly ok: false; readonly reason: string };

/** Parses the text without validating it, so that a document that breaks rules can still be listed. */
export function summarizeDocument(text: string): SummaryOrReason {
  const parsed = parse(text);
  if (!parsed.ok) {
    const [first] = parsed.errors;
    return { ok: false, reason: `line ${first?.line}: ${first?.message}` };
  }
  const { attack } = parsed.document;
  const document = normalize(parsed.document);
  const { id, name, description, status, severity, impact, classification, indicators } = attack;
  const { category, tags, mappings } = classification ?? {};
  const level = typeof severity === 'string' ? severity : severity?.level;
  const modes = listModes(attack.execution);
  const { protocols, surfaces } = findAttackReach(document, includedViews, findDocumentMarks(document) ?? []);
  return {
    ok: true,
    summary: {
      ...(id !== undefined && { id }),
      // The defaults that normalization would fill in.
      name: name ?? 'Untitled',
      ...(description !== undefined && { description }),
      status: status ?? 'draft',
      ...(level !== undefined && { severity: level }),
      ...(category !== undefined && { category }),
      impact: listDistinct(impact),
      tags: listDistinct(tags),
      protocols,
      modes,
      surfaces,
      tiers: listDistinct(indicators?.map(({ tier }) => tier)),
      mappings: mappings ?? [],
    },
  };
}

function listModes({ mode, phases = [], actors = [] }: Execution): readonly Mode[] {
  return listDistinct([mode, ...phases.map((phase) => phase.mode), ...actors.map((actor) => actor.mode)]);
}

function listDistinct<T>(items: readonly (T | undefined)[] = []): readonly T[] {
  return [...new Set(items.filter((item) => item !== undefined))];
}
