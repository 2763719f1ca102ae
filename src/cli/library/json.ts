import type { Mark } from '../../model/marks.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import type { DocumentSummary } from '../../suite/document-summary.ts';

// The shapes are documented in the help of `list` and `show`; fields are only ever added.

/** A document in a list. */
export function listedToJson(summary: DocumentSummary, file: string): object {
  return { ...summary, file };
}

/** One document, with the fields that a list leaves out. */
export function documentToJson(
  { attack }: NormalizedDocument,
  marks: readonly Mark[] | undefined,
  summary: DocumentSummary,
  file: string,
): object {
  const { version, author, created, modified, description, references, indicators, correlation } = attack;
  return {
    ...listedToJson(summary, file),
    version,
    author,
    created,
    modified,
    description,
    references: references ?? [],
    actors: attack.execution.actors.map(({ name, mode, phases }) => ({
      name,
      mode,
      phases: phases.map((phase) => phase.name),
    })),
    indicators: (indicators ?? []).map(({ id, protocol, surface, tier, severity, description }) => ({
      id,
      protocol,
      surface,
      tier,
      severity,
      description,
    })),
    logic: correlation?.logic,
    marks,
  };
}
