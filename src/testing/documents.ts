import { fileURLToPath } from 'node:url';
import { type Filters, filterNames, isSelective, passing } from '../catalogue/filters.ts';
import { type DocumentSource, findDocument, findDocuments } from '../catalogue/find-documents.ts';
import { readDocument } from '../catalogue/read-document.ts';
import { loadMarked } from '../load-marked.ts';
import type { Category, SeverityLevel, Status, Tier } from '../model/enumerations.ts';
import type { LocatedDiagnostic } from '../model/errors.ts';
import { stringifyJson } from '../model/json.ts';
import { nearest } from '../registry/suggestions.ts';
import { visible } from '../report/visible.ts';
import { summarizeDocument } from '../suite/document-summary.ts';
import { openLibrary } from '../suite/library.ts';
import type { Playable } from '../suite/plan.ts';
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
}

/** One value of a filter, or several. */
export type OneOrMore<T> = T | readonly T[] | undefined;

/** The documents to attack with: one, several, or those that pass filters. */
export type Selection = DocumentReference | readonly DocumentReference[] | DocumentFilters;

interface Read {
  readonly file: string;
  readonly text: string;
}

export async function readReference(reference: DocumentReference): Promise<Playable> {
  return playable(await readOne(reference));
}

/** Reads the selected documents. Throws if there are none, or if one cannot be played. */
export async function readSelection(selection: Selection): Promise<readonly Playable[]> {
  const read = await readAll(selection);
  if (read.length === 0)
    throw new NotAttacked('no document is selected', 'oatf list shows what there is to select from');
  return read.map(playable);
}

async function readAll(selection: Selection): Promise<readonly Read[]> {
  if (selection === undefined || selection === null)
    throw new NotAttacked('no document is given', '{} is the whole library');
  if (isFilters(selection)) return readFiltered(selection);
  const references = Array.isArray(selection) ? selection : [selection as DocumentReference];
  const read: Read[] = [];
  for (const reference of references)
    if (isName(reference))
      read.push(...(await readSources(findDocuments([nameIn(reference)], process.cwd()))));
    else read.push(await readOne(reference));
  // A pattern and a name may select the same document.
  return [...new Map(read.map((each) => [`${each.file}\n${each.text}`, each])).values()];
}

async function readOne(reference: DocumentReference): Promise<Read> {
  if (reference instanceof URL) return readPath(pathOf(reference));
  if (typeof reference === 'string')
    return isName(reference) ? readPath(nameIn(reference)) : { file: '<text>', text: reference };
  if (typeof reference === 'object' && reference !== null)
    return { file: '<object>', text: textOf(reference) };
  throw new NotAttacked(
    `${reference === null ? 'null' : typeof reference} is not a document`,
    'an id of the library, a path, a file: URL, the text of a document, or an object in its shape',
  );
}

/** Rejects `-`: standard input belongs to the test framework. */
function nameIn(reference: string): string {
  if (reference.trim() !== '' && reference !== '-') return reference;
  throw new NotAttacked(
    `"${visible(reference)}" names no document`,
    'an id of the library such as OATS-001, or a path',
  );
}

function pathOf(url: URL): string {
  if (url.protocol === 'file:') return fileURLToPath(url);
  throw new NotAttacked(`${visible(url.protocol)} documents are files`, 'a file: URL, or a path');
}

function textOf(document: DocumentObject): string {
  try {
    return stringifyJson(document);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown);
    throw new NotAttacked(`<object>: the document cannot be written as JSON: ${visible(reason ?? '')}`);
  }
}

async function readPath(path: string): Promise<Read> {
  const [read] = await readSources([findDocument(path, process.cwd())]);
  if (read === undefined) throw new NotAttacked(`${visible(path)}: there is no such document`);
  return read;
}

/** Tells a name from a text: a name is one line; a document has several lines, or is JSON. */
function isName(reference: DocumentReference): reference is string {
  return typeof reference === 'string' && !/\n|^\s*\{\s*"/.test(reference);
}

const noInput = { stdin: { async *chunks(): AsyncGenerator<Buffer> {} } };

async function readSources(sources: readonly DocumentSource[]): Promise<readonly Read[]> {
  const read: Read[] = [];
  for (const source of sources) {
    const found = await readDocument(source, noInput);
    if (found.kind === 'unreadable') throw new NotAttacked(`${source.name}: ${found.reason}`, found.hint);
    if (found.kind === 'invalid') throw invalid(source.name, [found.diagnostic]);
    read.push({ file: source.name, text: found.text });
  }
  return read;
}

function playable({ file, text }: Read): Playable {
  const loaded = loadMarked(text);
  if (!loaded.ok) throw invalid(file, loaded.errors);
  return { document: loaded.document, file, text, warnings: loaded.warnings };
}

const mostTold = 10;

function invalid(file: string, problems: readonly LocatedDiagnostic[]): NotAttacked {
  const lines = problems.slice(0, mostTold).map(({ range, message, code, hint }) => {
    const help = hint === undefined ? '' : `\n    hint: ${visible(hint)}`;
    return `  ${range.start.line}:${range.start.column}: ${visible(message)} (${code})${help}`;
  });
  const more = problems.length > mostTold ? [`  and ${problems.length - mostTold} more`] : [];
  return new NotAttacked([`${file}: the document is not valid`, ...lines, ...more].join('\n'));
}

const knownKeys: readonly string[] = [...filterNames, 'documents'];

function isFilters(selection: Selection): selection is DocumentFilters {
  return (
    typeof selection === 'object' &&
    !Array.isArray(selection) &&
    !(selection instanceof URL) &&
    !('oatf' in selection)
  );
}

async function readFiltered(filters: DocumentFilters): Promise<readonly Read[]> {
  const unknown = Object.keys(filters).find((key) => !knownKeys.includes(key));
  if (unknown !== undefined)
    throw new NotAttacked(
      `there is no filter "${visible(unknown)}"`,
      `did you mean ${nearest(unknown, knownKeys) ?? knownKeys.join(', ')}?`,
    );
  const wrong = Object.entries(filters).find(([, values]) => values !== undefined && !isTexts(values));
  if (wrong !== undefined)
    throw new NotAttacked(
      `${wrong[0]}: this is not a string or a list of at least one`,
      'leave it out to select all',
    );
  const named = filters.documents === undefined ? undefined : listOf(filters.documents).map(nameIn);
  const sources = named === undefined ? shipped() : findDocuments(named, process.cwd());
  const read = await readSources(sources);
  const wanted = Object.fromEntries(
    filterNames.map((name) => [name, listOf(filters[name])]),
  ) as unknown as Filters;
  // A summary costs as much as loading the document, and only filters read it.
  if (!isSelective(wanted)) return read;
  const items = read.map((each) => ({ read: each, about: summarizeDocument(each.text) }));
  const passed = passing(items, wanted);
  if (!passed.ok) throw new NotAttacked(passed.message, passed.hint);
  return passed.items.map((item) => item.read);
}

function shipped(): readonly DocumentSource[] {
  const library = openLibrary();
  if (!library.ok) throw new NotAttacked(`the library cannot be read: ${library.reason}`);
  return library.documents.map(({ id, path }) => ({ kind: 'file', name: id, path, shipped: true }));
}

/** An empty list is refused, because it would select everything. */
function isTexts(values: unknown): boolean {
  if (!Array.isArray(values)) return typeof values === 'string';
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

function listOf(values: OneOrMore<string>): readonly string[] {
  if (values === undefined) return [];
  return typeof values === 'string' ? [values] : values;
}
