import { formatDocument } from '../document/format.ts';
import { readYaml } from '../document/read-yaml.ts';
import { writeYaml } from '../document/write-yaml.ts';
import type { Mark } from '../model/document-mark.ts';
import { payloadKey } from '../model/extension-keys.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { ValueMap } from '../model/value.ts';
import { appendToSequence } from './poison-document.ts';

/** A mark as a document writes it, without what goes without saying. */
export function encodeMark({ attack }: NormalizedDocument, { actor, phase, at, benign, needed }: Mark): ValueMap {
  const { actors } = attack.execution;
  const phases = actors.find(({ name }) => name === actor)?.phases ?? [];
  return {
    ...(actors.length > 1 && { actor }),
    ...(phases.length > 1 && { phase }),
    at,
    ...(benign !== undefined && { benign }),
    ...(!needed && { needed }),
  };
}

/** Writes marks into the text of a valid document. Its comments stay. Undefined if it cannot be written. */
export function writeMarks(text: string, document: NormalizedDocument, marks: readonly Mark[]): string | undefined {
  const { yaml } = readYaml(text);
  if (yaml === undefined) return undefined;
  appendToSequence(
    yaml,
    [payloadKey],
    marks.map((mark) => encodeMark(document, mark)),
  );
  const written = formatDocument(writeYaml(yaml));
  return written.ok ? written.text : undefined;
}
