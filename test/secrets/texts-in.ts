// Built from parts, so that no scanner reports this file as a leak.
export const key = `AKIA${'IOSFODNN7EXAMPLE'}`;

type Path = readonly string[];

/** The paths of all texts in a value. */
function textsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, [...path, name]));
}

/** The value with the key appended to the text at the path. */
export function planted<T>(value: T, [field, ...rest]: Path): T {
  if (field === undefined) return `${value} ${key}` as T;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[field] = planted(copy[field], rest);
  return copy as T;
}

/** The field of a text: `path of match`. */
function fieldOf(path: Path): string {
  return path
    .filter((name) => !/^\d+$/.test(name))
    .slice(-2)
    .reverse()
    .join(' of ');
}

/** One place for each field that results have. */
export function fieldsIn(results: unknown): ReadonlyMap<string, Path> {
  return new Map(textsIn(results).map((path) => [fieldOf(path), path]));
}

/** Fields that documents, users and we ourselves have written. All other fields of results quote others. */
export const written: ReadonlySet<string> = new Set([
  ...['started', 'finished', 'started of runs', 'end of runs', 'outcome of runs', 'trace of runs'],
  ...['name of tool', 'version of tool', 'kind of agents', 'file of baseline'],
  ...['id', 'path', 'source', 'severity', 'category', 'protocols'].map((field) => `${field} of document`),
  ...['document', 'status', 'change', 'expected', 'found'].map((field) => `${field} of attacks`),
  ...['result of verdict', 'max_tier of verdict', 'path of match'],
  ...['indicator_id of indicator_verdicts', 'result of indicator_verdicts'],
  ...['mode', 'phases', 'phases_entered', 'phases_seen'].map((field) => `${field} of shop`),
]);
