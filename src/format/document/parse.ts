import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Document } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import type { ParseError } from '../model/errors.ts';
import { formatPath, type Path } from '../model/path.ts';
import { decodeYamlDocument } from './decode-document.ts';
import { createPositions, type DocumentProblem, type Positions, readYaml, type YamlDocument } from './read-yaml.ts';

/** A document as it is written, or every parse error of its text. */
export type ParseResult =
  | { readonly ok: true; readonly document: Document }
  | { readonly ok: false; readonly errors: readonly ParseError[] };

/** Parses YAML into the model, without rules or defaults (SDK spec §3.1). Never throws. */
export function parse(text: string): ParseResult {
  const reading = readDocumentText(text);
  if (reading.problems.length === 0) return { ok: true, document: reading.draft as Document };
  return { ok: false, errors: parseErrors(reading) };
}

export function parseErrors({ problems, positions }: DocumentReading): readonly ParseError[] {
  return problems.map((problem) => toParseError(problem, positions));
}

/** The result of reading a text as far as possible, with a way to locate paths in it. */
export interface DocumentReading {
  /** The tree, as far as the text could be read. */
  readonly yaml: YamlDocument | undefined;
  readonly draft: Draft<Document>;
  /** Whether there is a tree. Without one, the draft is empty. */
  readonly isReadable: boolean;
  /** In the order of the text. */
  readonly problems: readonly DocumentProblem[];
  readonly positions: Positions;
  /** The offset at which the YAML itself breaks. Everything after it is guesswork. */
  readonly brokenAt: number;
  /** Locates a path, or the character of its text at offset `within`. */
  locate(path: Path, within?: number): TextPlace;
}

export interface TextPlace {
  /** The offset of the field's value, or of its key if the value is a block. */
  readonly from: number;
  readonly to: number;
  /** The offset at which the field ends, with everything in it. */
  readonly end: number;
}

export function readDocumentText(text: string): DocumentReading {
  const keys: KeyIndex = new WeakMap();
  const { yaml, problems: broken } = readYaml(text);
  const brokenAt = broken.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY);
  const decoded = yaml === undefined ? { draft: {}, problems: [] } : decodeYamlDocument(yaml);
  const sound = decoded.problems.filter(({ to, from }) => to <= brokenAt && (from < to || broken.length === 0));
  return {
    yaml,
    draft: decoded.draft,
    isReadable: yaml !== undefined && yaml.contents !== null,
    problems: [...broken, ...sound].sort((a, b) => a.from - b.from),
    positions: createPositions(text),
    brokenAt,
    locate: (path, within) => {
      const { node, place } = locatePath(yaml, path, keys);
      return within === undefined || !isScalar(node) ? place : narrowPlace(text, node, place, within);
    },
  };
}

function toParseError(problem: DocumentProblem, positions: Positions): ParseError {
  const { line, column } = positions(problem.from, problem.to).start;
  const { kind, message, path, rule, hint } = problem;
  return {
    kind,
    message,
    ...(path.length > 0 && { path: formatPath(path) }),
    line,
    column,
    ...(rule !== undefined && { rule }),
    ...(hint !== undefined && { hint }),
  };
}

/** Locates a path, or its nearest ancestor that exists. */
function locatePath(
  yaml: YamlDocument | undefined,
  path: Path,
  keys: KeyIndex,
): { readonly node: Node | null | undefined; readonly place: TextPlace } {
  let node: Node | null | undefined = yaml?.contents;
  let place: TextPlace = { from: 0, to: 0, end: yaml?.range?.[2] ?? 0 };
  for (const segment of path) {
    const step = isMap(node)
      ? stepInto(node, segment, keys)
      : isSeq(node)
        ? { key: undefined, value: node.items[Number(segment)] }
        : undefined;
    // Broken YAML leaves holes in the tree.
    const value = (step?.value ?? undefined) as Node | undefined;
    if (step === undefined || value === undefined) break;
    node = value;
    place = createPlace(value, step.key);
  }
  return { node, place };
}

function narrowPlace(text: string, { value }: Scalar, place: TextPlace, within: number): TextPlace {
  const written = text.slice(place.from, place.to);
  const offset = typeof value === 'string' ? findWrittenOffset(written, value, within) : undefined;
  if (offset === undefined) return place;
  const from = place.from + offset;
  return { ...place, from, to: Math.min(from + 1, place.to) };
}

/** The pairs of each mapping by key. Built once, because a mapping with many problems is searched many times. */
type KeyIndex = WeakMap<YAMLMap, ReadonlyMap<string, Pair<unknown, unknown>>>;

function stepInto(map: YAMLMap, segment: string | number, keys: KeyIndex): { key: Node; value: unknown } | undefined {
  let index = keys.get(map);
  if (index === undefined) {
    // If a key occurs twice, the first one was decoded.
    index = new Map(
      map.items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[readKeyText(pair.key), pair]] : [])),
    );
    keys.set(map, index);
  }
  const pair = index.get(String(segment));
  return pair === undefined ? undefined : { key: pair.key as Node, value: pair.value };
}

function readKeyText(key: Scalar): string {
  return String(key.source ?? key.value);
}

function createPlace(value: Node, key: Node | undefined): TextPlace {
  const [from, to, end] = value.range ?? [0, 0, 0];
  const empty = from === to;
  if (key?.range !== undefined && key.range !== null && (empty || isMap(value) || isSeq(value)))
    return { from: key.range[0], to: key.range[1], end };
  if (isMap(value)) {
    const first = value.items[0]?.key as Node | undefined;
    if (first?.range) return { from: first.range[0], to: first.range[1], end };
  }
  return { from, to, end };
}

/**
 * Finds a character of a YAML string in the scalar as it is written: quoted, folded over lines, indented. Apart from quotes
 * and escapes YAML adds and removes only white space, so the other characters are counted. Undefined if an escape may stand
 * for white space.
 */
export function findWrittenOffset(written: string, value: string, within: number): number | undefined {
  const [quote] = written;
  if (quote === '"' && /\\[^"\\/]/.test(written)) return undefined;
  const one = quote === '"' ? /\\?\S/g : quote === "'" ? /''|\S/g : /\S/g;
  one.lastIndex = /^[|>].*|^["']|^/.exec(written)?.[0].length ?? 0;
  let left = value.slice(0, within).replace(/\s/g, '').length;
  for (const { index } of written.matchAll(one)) if (left-- === 0) return index;
  return undefined;
}
