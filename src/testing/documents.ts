import { fileURLToPath } from 'node:url';
import { loadMarked } from '../format/load-marked.ts';
import type { Category, SeverityLevel, Status, Tier } from '../format/model/enumeration-types.ts';
import type { LocatedDiagnostic } from '../format/model/errors.ts';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import { stringifyJson } from '../format/model/json-text-values.ts';
import { findNearest } from '../format/registry/suggestions.ts';
import { summarizeDocument } from '../suite/library/document-summary.ts';
import { applyFilters, type Filters, filterNames, isSelective } from '../suite/library/filters.ts';
import { type DocumentSource, findDocument, findDocuments } from '../suite/library/find-documents.ts';
import { openLibrary } from '../suite/library/library.ts';
import { readSourceDocument } from '../suite/library/read-document.ts';
import type { PlayableDocument } from '../suite/plan/plan.ts';
import { NotAttacked } from './not-attacked.ts';

/**
 * A reference to a document: an id of the library, a path, a `file:` URL, the text itself (more than one line, or
 * JSON), or an object in the shape of the file.
 */
export type DocumentReference = string | URL | DocumentObject;

/** A document as an object in the shape of the file. */
export interface DocumentObject {
  readonly oatf: string;
  readonly attack: object;
}

/** Selects documents of the library, or named documents, that pass every filter. */
export interface DocumentFilters {
  /** Files, folders, patterns or ids of the library. Default: the whole library. */
  readonly documents?: OneOrMore<string>;
  /** Ids; wildcards are allowed. */
  readonly id?: OneOrMore<string>;
  readonly tag?: OneOrMore<string>;
  readonly severity?: OneOrMore<SeverityLevel>;
  readonly category?: OneOrMore<Category>;
  readonly protocol?: OneOrMore<string>;
  readonly tier?: OneOrMore<Tier>;
  readonly status?: OneOrMore<Status>;
  /** `FRAMEWORK` or `FRAMEWORK:ID`. */
  readonly mapping?: OneOrMore<string>;
  /** The allowed modes: a document with an actor of any other mode is left out. */
  readonly mode?: OneOrMore<string>;
  /** Surfaces of the agent that the attack needs, such as `resources`. */
  readonly surface?: OneOrMore<string>;
  /** Texts within ids, titles, tags, descriptions and mappings; case does not matter. */
  readonly grep?: OneOrMore<string>;
}

/** One value of a filter, or several. */
export type OneOrMore<T> = T | readonly T[] | undefined;

/** The documents to attack with: one, several, or those that pass filters. */
export type Selection = DocumentReference | readonly DocumentReference[] | DocumentFilters;

interface DocumentText {
  readonly file: string;
  readonly text: string;
}

export async function readReference(reference: DocumentReference): Promise<PlayableDocument> {
  return loadPlayable(await readOne(reference));
}

/** Reads the selected documents. Throws if there are none, or if one cannot be played. */
export async function readSelection(selection: Selection): Promise<readonly PlayableDocument[]> {
  const read = await readAll(selection);
  if (read.length === 0)
    throw new NotAttacked('no document is selected', 'oatf list shows what there is to select from');
  return read.map(loadPlayable);
}

async function readAll(selection: Selection): Promise<readonly DocumentText[]> {
  if (selection === undefined || selection === null)
    throw new NotAttacked('no document is given', '{} is the whole library');
  if (isFilters(selection)) return readFiltered(selection);
  const references = Array.isArray(selection) ? selection : [selection as DocumentReference];
  const read: DocumentText[] = [];
  for (const reference of references)
    if (isName(reference))
      read.push(...(await readSources(findDocuments([checkReferenceName(reference)], process.cwd()))));
    else read.push(await readOne(reference));
  // A pattern and a name may select the same document.
  return [...new Map(read.map((each) => [`${each.file}\n${each.text}`, each])).values()];
}

async function readOne(reference: DocumentReference): Promise<DocumentText> {
  if (reference instanceof URL) return readPath(toFilePath(reference));
  if (typeof reference === 'string')
    return isName(reference) ? readPath(checkReferenceName(reference)) : { file: '<text>', text: reference };
  if (typeof reference === 'object' && reference !== null)
    return { file: '<object>', text: stringifyDocument(reference) };
  throw new NotAttacked(
    `${reference === null ? 'null' : typeof reference} is not a document`,
    'an id of the library, a path, a file: URL, the text of a document, or an object in its shape',
  );
}

/** Rejects `-`: standard input belongs to the test framework. */
function checkReferenceName(reference: string): string {
  if (reference.trim() !== '' && reference !== '-') return reference;
  throw new NotAttacked(
    `"${escapeInvisible(reference)}" names no document`,
    'an id of the library such as OATS-001, or a path',
  );
}

function toFilePath(url: URL): string {
  if (url.protocol === 'file:') return fileURLToPath(url);
  throw new NotAttacked(`${escapeInvisible(url.protocol)} documents are files`, 'a file: URL, or a path');
}

function stringifyDocument(document: DocumentObject): string {
  try {
    return stringifyJson(document);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown);
    throw new NotAttacked(`<object>: the document cannot be written as JSON: ${escapeInvisible(reason ?? '')}`);
  }
}

async function readPath(path: string): Promise<DocumentText> {
  const [read] = await readSources([findDocument(path, process.cwd())]);
  if (read === undefined) throw new NotAttacked(`${escapeInvisible(path)}: there is no such document`);
  return read;
}

/** Whether a text is a name: a name is one line; a document has several lines, or is JSON. */
function isName(reference: DocumentReference): reference is string {
  return typeof reference === 'string' && !/\n|^\s*\{\s*"/.test(reference);
}

const noInput = { stdin: { async *chunks(): AsyncGenerator<Buffer> {} } };

async function readSources(sources: readonly DocumentSource[]): Promise<readonly DocumentText[]> {
  const read: DocumentText[] = [];
  for (const source of sources) {
    const found = await readSourceDocument(source, noInput);
    if (found.kind === 'unreadable') throw new NotAttacked(`${source.name}: ${found.reason}`, found.hint);
    if (found.kind === 'invalid') throw createInvalidError(source.name, [found.diagnostic]);
    read.push({ file: source.name, text: found.text });
  }
  return read;
}

function loadPlayable({ file, text }: DocumentText): PlayableDocument {
  const loaded = loadMarked(text);
  if (!loaded.ok) throw createInvalidError(file, loaded.errors);
  return { document: loaded.document, file, text, warnings: loaded.warnings };
}

const mostShown = 10;

function createInvalidError(file: string, problems: readonly LocatedDiagnostic[]): NotAttacked {
  const lines = problems.slice(0, mostShown).map(({ range, message, code, hint }) => {
    const help = hint === undefined ? '' : `\n    hint: ${escapeInvisible(hint)}`;
    return `  ${range.start.line}:${range.start.column}: ${escapeInvisible(message)} (${code})${help}`;
  });
  const more = problems.length > mostShown ? [`  and ${problems.length - mostShown} more`] : [];
  return new NotAttacked([`${file}: the document is not valid`, ...lines, ...more].join('\n'));
}

const knownKeys: readonly string[] = [...filterNames, 'documents'];

function isFilters(selection: Selection): selection is DocumentFilters {
  return (
    typeof selection === 'object' && !Array.isArray(selection) && !(selection instanceof URL) && !('oatf' in selection)
  );
}

async function readFiltered(filters: DocumentFilters): Promise<readonly DocumentText[]> {
  const unknown = Object.keys(filters).find((key) => !knownKeys.includes(key));
  if (unknown !== undefined)
    throw new NotAttacked(
      `there is no filter "${escapeInvisible(unknown)}"`,
      `did you mean ${findNearest(unknown, knownKeys) ?? knownKeys.join(', ')}?`,
    );
  const wrong = Object.entries(filters).find(([, values]) => values !== undefined && !isTexts(values));
  if (wrong !== undefined)
    throw new NotAttacked(`${wrong[0]}: this is not a string or a list of at least one`, 'leave it out to select all');
  const named = filters.documents === undefined ? undefined : toTextList(filters.documents).map(checkReferenceName);
  const sources = named === undefined ? listLibrarySources() : findDocuments(named, process.cwd());
  const read = await readSources(sources);
  const wanted = Object.fromEntries(filterNames.map((name) => [name, toTextList(filters[name])])) as unknown as Filters;
  // A summary costs as much as loading the document, and only filters read it.
  if (!isSelective(wanted)) return read;
  const items = read.map((each) => ({ read: each, about: summarizeDocument(each.text) }));
  const passed = applyFilters(items, wanted);
  if (!passed.ok) throw new NotAttacked(`${passed.filter}: ${passed.message}`, passed.hint);
  return passed.items.map((item) => item.read);
}

function listLibrarySources(): readonly DocumentSource[] {
  const library = openLibrary();
  if (!library.ok) throw new NotAttacked(`the library cannot be read: ${library.reason}`);
  return library.documents.map(({ id, path }) => ({ kind: 'file', name: id, path, shipped: true }));
}

/** An empty list is refused, because it would select everything. */
function isTexts(values: unknown): boolean {
  if (!Array.isArray(values)) return typeof values === 'string';
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

function toTextList(values: OneOrMore<string>): readonly string[] {
  if (values === undefined) return [];
  return typeof values === 'string' ? [values] : values;
}
