import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { decodeYamlDocument } from '../document/decode-document.ts';
import { encode } from '../document/encode-document.ts';
import { formatDocument } from '../document/format.ts';
import { normalize } from '../document/normalize-document.ts';
import { type DocumentReading, parse } from '../document/parse.ts';
import { readYaml, type YamlDocument } from '../document/read-yaml.ts';
import { writeYaml } from '../document/write-yaml.ts';
import type { Document } from '../model/attack-document.ts';
import type { Mark } from '../model/document-mark.ts';
import type { Draft } from '../model/draft.ts';
import { generateKey, payloadKey } from '../model/extension-keys.ts';
import { namePhase } from '../model/generated-names.ts';
import { stringifyJson } from '../model/json-text-values.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import { formatPath, type Path } from '../model/path.ts';
import { formatPointer, isWithin, parsePointer, parsePointerIndex } from '../model/pointer.ts';
import type { Value } from '../model/value.ts';
import { formatCompactJson } from '../primitives/compact-json.ts';
import { getRuleSeverity } from '../registry/rules.ts';
import { listActorPlaces } from '../validate/document-parts.ts';
import { findViolations } from '../validate/validate-document.ts';
import { findGenerateViolations } from './read-generate.ts';
import { type MarkViolation, payloadPath, readMarks } from './read-marks.ts';

/** A document with parts of its payload taken out or rewritten, to see which parts of it the attack needs. */
export type DocumentVariant =
  | {
      readonly ok: true;
      readonly document: NormalizedDocument;
      /** Writes the variant as text: the document's own text with its comments, formatted. */
      write(): string;
    }
  | { readonly ok: false; readonly errors: readonly VariantError[] };

export interface VariantError {
  /** The id of a V or O rule, or the kind of a parse error. */
  readonly code: string;
  /** The path in the variant. A removal earlier in the same list shifts its index. */
  readonly path: Path;
  readonly message: string;
}

/** The changes that make a variant. Marks are named by their position among the marks. */
export interface VariantEdits {
  /** The marks that get their `benign` value, or are removed if they have none. They are marks no longer. */
  readonly benign: ReadonlySet<number>;
  /** Texts to replace within other marks: `keys` lead from the marked value to the text. */
  readonly texts?: readonly { readonly mark: number; readonly keys: readonly string[]; readonly text: string }[];
  /** Added to the document's name. The id stays, because indicator ids contain it. */
  readonly nameSuffix: string;
}

/** Makes a variant of a document. `text` must be a valid document, and `marks` all of its own marks. */
export function makeVariant(text: string, marks: readonly Mark[], edits: VariantEdits): DocumentVariant {
  const { yaml } = readYaml(text);
  return yaml === undefined ? { ok: false, errors: [] } : makeVariantFrom(yaml, marks, edits);
}

/**
 * Makes the benign twin of a document: replaces each mark by its `benign`, or removes it if it has none, and removes the
 * marks themselves.
 */
export function makeBenignTwin(text: string, marks: readonly Mark[]): DocumentVariant {
  return makeVariant(text, marks, listTwinEdits(marks));
}

function listTwinEdits(marks: readonly Mark[]): VariantEdits {
  return { benign: new Set(marks.keys()), nameSuffix: ' (benign twin)' };
}

/** Makes a variant out of the document's tree, which becomes the tree of the variant. */
function makeVariantFrom(yaml: YamlDocument, marks: readonly Mark[], edits: VariantEdits): DocumentVariant {
  editDocument(yaml, decodeYamlDocument(yaml).draft as Document, marks, edits);
  const { draft, problems } = decodeYamlDocument(yaml);
  const errors = [
    ...problems.map(({ kind, rule, path, message }) => ({ code: rule ?? kind, path, message })),
    ...findViolations(draft)
      .filter(({ rule }) => getRuleSeverity(rule) === 'error')
      .map(({ rule, path, message }) => ({ code: rule, path, message })),
    // A removal earlier in a list shifts the pointers of `x-generate`, so they are checked again.
    ...findGenerateViolations(draft).map(({ rule, path, message }) => ({ code: rule, path, message })),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const document = draft as Document;
  return { ok: true, document: normalize(document), write: () => writeVariant(yaml, document) };
}

/** Looks every mark up before it changes anything, because pointers refer to the document as it is written. */
function editDocument(
  yaml: YamlDocument,
  document: Document,
  marks: readonly Mark[],
  { benign, texts = [], nameSuffix }: VariantEdits,
): void {
  const root = yaml.contents;
  const attack = findPair(root, 'attack')?.value;
  if (!isMap(attack)) return;
  const written = findPair(attack, payloadKey)?.value;
  const entries = isSeq(written) ? written.items : [];
  const removed = new Map<YAMLMap | YAMLSeq, Set<number>>();
  const removedItems: Path[] = [];
  const find = createSlotFinder();
  const paths = findMarkPaths(document, marks);
  const slots = paths.map((path) => find(root, path));
  const changed = texts.map(({ mark, keys, text }) => ({ slot: find(root, [...(paths[mark] ?? []), ...keys]), text }));
  leaveOutGenerated(
    root,
    find,
    marks.flatMap(({ at }, index) => (benign.has(index) ? [{ path: paths[index] ?? [], at }] : [])),
  );
  for (const { slot, text } of changed) if (slot !== undefined) replaceMarked(slot, yaml.createNode(text));
  for (const [index, slot] of slots.entries()) {
    if (slot === undefined || !benign.has(index)) continue;
    const { parent, place } = slot;
    // The node itself is moved, so it keeps its style.
    const replacement = findPair(entries[index], 'benign');
    if (replacement !== undefined) replaceMarked(slot, replacement.value as Node);
    else {
      removed.set(parent, (removed.get(parent) ?? new Set()).add(place));
      if (isSeq(parent)) removedItems.push(paths[index] ?? []);
    }
  }
  for (const [parent, places] of removed)
    parent.items = (parent.items as unknown[]).filter((_, place) => !places.has(place)) as never[];
  if (isSeq(written) && marks.some(({ needed }, index) => needed && !benign.has(index))) {
    for (const [index, { at }] of marks.entries()) {
      const pointer = findPair(entries[index], 'at');
      const shifted = shiftPointer(paths[index] ?? [], at, removedItems);
      if (pointer !== undefined && shifted !== at) pointer.value = yaml.createNode(shifted);
    }
    written.items = entries.filter((_, index) => !benign.has(index));
  } else attack.items = attack.items.filter(({ key }) => readNodeKey(key) !== payloadKey);
  renameVariant(yaml, attack, document, nameSuffix);
}

/** The pointer of a mark after items before it were removed from the lists on its path. */
function shiftPointer(path: Path, at: string, removedItems: readonly Path[]): string {
  const shifted = path.map((key, level) => {
    const before = removedItems.filter(
      (item) =>
        item.length === level + 1 &&
        Number(item[level]) < Number(key) &&
        item.slice(0, level).every((each, depth) => String(each) === String(path[depth])),
    );
    return before.length === 0 ? key : Number(key) - before.length;
  });
  return formatPointer(shifted.slice(path.length - (parsePointer(at) ?? []).length));
}

/** Removes `x-generate` entries at a mark: the twin's replacement is a plain value, not a generated one. */
function leaveOutGenerated(
  root: Node | null,
  find: (root: Node | null, path: Path) => Slot | undefined,
  places: readonly { readonly path: Path; readonly at: string }[],
): void {
  for (const { path, at } of places) {
    const slot = find(root, path.slice(0, path.length - (parsePointer(at) ?? []).length));
    const phase = slot === undefined ? undefined : readSlotNode(slot);
    const list = findPair(phase, generateKey)?.value;
    if (!isMap(phase) || !isSeq(list)) continue;
    list.items = list.items.filter((entry) => {
      const pointer = findPair(entry, 'at')?.value;
      return !isScalar(pointer) || !isWithin(String(pointer.value), at);
    });
    if (list.items.length === 0) phase.items = phase.items.filter(({ key }) => readNodeKey(key) !== generateKey);
  }
}

interface Slot {
  readonly parent: YAMLMap | YAMLSeq;
  /** The index among the parent's pairs or items. */
  readonly place: number;
}

/** Finds nodes by path. It remembers the keys of each mapping it visits, since thousands of marks may lie in one. */
function createSlotFinder(): (root: Node | null, path: Path) => Slot | undefined {
  const places = new WeakMap<YAMLMap, ReadonlyMap<string | undefined, number>>();
  const findIndex = (node: Node | null | undefined, key: string): number | undefined => {
    if (isSeq(node)) return parsePointerIndex(node.items.length, key);
    if (!isMap(node)) return undefined;
    let index = places.get(node);
    if (index === undefined) {
      index = new Map(node.items.map((pair, place) => [readNodeKey(pair.key), place]));
      places.set(node, index);
    }
    return index.get(key);
  };
  return (root, path) => {
    let node = root;
    let slot: Slot | undefined;
    for (const key of path) {
      const place = findIndex(node, String(key));
      if (place === undefined) return undefined;
      slot = { parent: node as YAMLMap | YAMLSeq, place };
      node = readSlotNode(slot);
    }
    return slot;
  };
}

function readSlotNode({ parent, place }: Slot): Node | null {
  const item = parent.items[place];
  return ((isSeq(parent) ? item : (item as Pair | undefined)?.value) ?? null) as Node | null;
}

function findPair(node: unknown, key: string): Pair | undefined {
  return isMap(node) ? node.items.find((pair) => readNodeKey(pair.key) === key) : undefined;
}

function replaceMarked({ parent, place }: Slot, node: Node): void {
  if (isSeq(parent)) parent.items[place] = node;
  else {
    const pair = parent.items[place];
    if (pair !== undefined) pair.value = node;
  }
}

function readNodeKey(key: unknown): string | undefined {
  return isScalar(key) ? String(key.source ?? key.value) : undefined;
}

function renameVariant(
  yaml: YamlDocument,
  attack: YAMLMap,
  { attack: { name = 'Untitled' } }: Document,
  nameSuffix: string,
): void {
  const node = yaml.createNode(`${name}${nameSuffix}`);
  const pair = findPair(attack, 'name');
  if (pair === undefined) attack.items.unshift(yaml.createPair('name', node));
  else pair.value = node;
}

/** Writes the variant. If the YAML library writes it wrongly, it is written from the model, without comments. */
function writeVariant(yaml: YamlDocument, document: Document): string {
  const model = formatCompactJson(document as unknown as Value, 'sorted');
  const written = formatDocument(writeYaml(yaml));
  const text = written.ok ? written.text : '';
  const again = parse(text);
  const isSame = again.ok && formatCompactJson(again.document as unknown as Value, 'sorted') === model;
  return isSame ? text : stringifyJson(encode('Document', document), 2);
}

/** The path of each mark from the top of the document as it is written, in any of the three forms. */
export function findMarkPaths(document: Draft<Document>, marks: readonly Mark[]): readonly Path[] {
  const phases = new Map<string, Path>();
  // N-001: a phase without a name is named by its position.
  for (const actor of listActorPlaces(document))
    for (const [index, { phase, path }] of actor.phases.entries())
      phases.set(formatPhaseKey(actor.name, phase.name ?? namePhase(index)), path);
  return marks.map(({ actor, phase, at }) => [
    ...(phases.get(formatPhaseKey(actor, phase)) ?? []),
    ...(parsePointer(at) ?? []),
  ]);
}

function formatPhaseKey(actor: string | undefined, phase: string): string {
  return JSON.stringify([actor, phase]);
}

/** Finds every violation of the mark rules in a document that is otherwise valid. */
export function findMarkViolations(
  { yaml, draft }: DocumentReading,
  document: NormalizedDocument,
): readonly MarkViolation[] {
  const { marks, violations } = readMarks(document);
  if (violations.length > 0 || marks.size === 0 || yaml === undefined) return violations;
  const sound = [...marks.values()];
  const twin = makeVariantFrom(yaml.clone() as typeof yaml, sound, listTwinEdits(sound));
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
