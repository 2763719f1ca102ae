import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { DocumentEntry } from '../../format/model/results-file.ts';
import { extractProtocol } from '../../format/primitives/extract-protocol.ts';

/** The fields of a document that stored results keep. */
export function createDocumentEntry({ attack }: NormalizedDocument, path: string): DocumentEntry {
  const { id, name, version, severity, classification, execution } = attack;
  return {
    ...(id !== undefined && { id }),
    name,
    version,
    path,
    ...(severity !== undefined && { severity: severity.level }),
    ...(classification?.category !== undefined && { category: classification.category }),
    protocols: [...new Set(execution.actors.map(({ mode }) => extractProtocol(mode)))],
    tags: classification?.tags ?? [],
  };
}
