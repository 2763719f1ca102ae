import type { DocumentReading } from '../document/parse.ts';
import type { Document } from '../model/attack-document.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import { formatPath, type Path } from '../model/path.ts';
import { makeTwinFrom } from './benign-twin.ts';
import { findMarkPaths } from './mark-path.ts';
import { type MarkViolation, payloadPath, readMarks } from './read-marks.ts';

/** Finds every violation of the mark rules in a document that is otherwise valid. */
export function findMarkViolations(
  { yaml, draft }: DocumentReading,
  document: NormalizedDocument,
): readonly MarkViolation[] {
  const { marks, violations } = readMarks(document);
  if (violations.length > 0 || marks.size === 0 || yaml === undefined) return violations;
  const sound = [...marks.values()];
  const twin = makeTwinFrom(yaml.clone() as typeof yaml, sound);
  if (twin.ok) return [];
  const paths = findMarkPaths(draft as Document, sound);
  return twin.errors.slice(0, mostErrors).map(({ code, path, message }) => ({
    rule: 'O-205',
    path: findBlamedMark(paths, path),
    message: `the benign twin does not load: ${formatPath(path)}: ${message} (${code})`,
    hint: 'a mark without `benign` is removed; mark what stands around it, or say what stands there in the twin',
  }));
}

/** One bad replacement can break many rules. */
const mostErrors = 10;

/** The mark that contains the error or lies within it. If there is none, the whole list is blamed. */
function findBlamedMark(paths: readonly Path[], error: Path): Path {
  const index = paths.findIndex((path) => {
    const [outer, inner] = path.length < error.length ? [path, error] : [error, path];
    return outer.every((key, level) => String(key) === String(inner[level]));
  });
  return index < 0 ? payloadPath : [...payloadPath, index];
}
