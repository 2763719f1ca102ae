import type { Mark } from '../../format/model/document-mark.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { summarizeDocument } from '../../suite/library/document-summary.ts';
import type { DocumentSource } from '../../suite/library/find-documents.ts';

// The shape is documented in the help of `explain`; fields are only ever added.

/** One document as JSON text, with the fields that a list leaves out. */
export function documentToJson(
  { attack }: NormalizedDocument,
  marks: readonly Mark[] | undefined,
  text: string,
  source: DocumentSource,
): string {
  const summarized = summarizeDocument(text);
  if (!summarized.ok) throw new Error(`a document that was read has no summary: ${summarized.reason}`);
  const file = source.kind === 'file' && source.shipped ? source.path : source.name;
  const { version, author, created, modified, description, references, indicators, correlation } = attack;
  const shape = {
    ...summarized.summary,
    file,
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
  return `${JSON.stringify(shape, null, 2)}\n`;
}
