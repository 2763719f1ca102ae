import { Composer, type Document, Lexer, Parser, type Scalar } from 'yaml';
import type { ParseErrorKind } from '../model/enumeration-types.ts';
import type { SourcePosition, SourceRange } from '../model/errors.ts';
import type { Path } from '../model/path.ts';
import type { Value } from '../model/value.ts';
import { parseWrittenNumber, type WrittenNumber } from '../model/written-number.ts';
import { maximumLength } from './maximum-length.ts';

export type YamlDocument = Document.Parsed;

export interface YamlText {
  /** The first YAML document of the text, as far as it could be read. */
  readonly yaml: YamlDocument | undefined;
  readonly problems: readonly DocumentProblem[];
}

// Limits on the cost of a document, checked before the parser does the work.
const maximumNodes = 50_000;
const maximumTokens = 500_000;
/** Enough for the deepest pass-through content and the levels above it. */
const maximumNesting = 128;

// Characters that YAML 1.2 does not count as printable, and unpaired surrogates. Quoted scalars may contain some of them,
// because YAML 1.2 allows there what JSON allows (its rule nb-json).
const onlyQuoted = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;
const neverRaw = /[\x00-\x08\x0b\x0c\x0e-\x1f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
export const unprintable = new RegExp(`${onlyQuoted.source}|${neverRaw.source}`);
const versionDirective = /^%YAML(?![ \t]+1\.2[ \t]*(?:#|\r?$)).*$/m;

export function readYaml(text: string): YamlText {
  const unreadable = checkText(text);
  if (unreadable !== undefined) return { yaml: undefined, problems: [unreadable] };
  const composer = createComposer();
  const tokens = readTokens(text);
  if (!Array.isArray(tokens)) return { yaml: undefined, problems: [tokens] };
  const documents: Document.Parsed[] = [];
  let broken = 0;
  for (const token of tokens) {
    if (token.type === 'error' && ++broken > mostErrors) continue;
    // A second document is already an error, so the rest is not composed.
    if (documents.length > 1) break;
    for (const document of composer.next(token)) documents.push(document);
  }
  for (const document of composer.end(false, text.length)) documents.push(document);
  return { yaml: documents[0], problems: [...listSyntaxProblems(documents, text)] };
}

/** One broken quote can make every later character an error. More errors than these add nothing. */
const mostErrors = 1_000;

function createComposer(): Composer {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // The library's check compares every key with every other. Decoding uses a set instead.
    uniqueKeys: false,
  });
  // Each error is an object with a stack: a hundred thousand of them take half a gigabyte.
  const reporter = composer as unknown as { onError(...error: unknown[]): void };
  const report = reporter.onError;
  let errors = 0;
  reporter.onError = (...error) => {
    if (++errors <= mostErrors) report(...error);
  };
  return composer;
}

function checkText(text: string): DocumentProblem | undefined {
  if (text.length > maximumLength)
    return createSyntaxProblem(
      0,
      0,
      `document is ${(text.length / 1024 / 1024).toFixed(1)} MiB long; the limit is ${maximumLength / 1024 / 1024} MiB`,
    );
  const character = neverRaw.exec(text);
  if (character !== null) return createCharacterProblem(character, 0, 'is not allowed');
  return text.startsWith('%') || text.includes('\n%') ? findVersionDirective(text) : undefined;
}

function createCharacterProblem({ 0: found, index }: RegExpExecArray, from: number, why: string): DocumentProblem {
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const at = from + index;
  const hint = `write it as an escape in a double-quoted string: "\\u${code}"`;
  return createSyntaxProblem(at, at + 1, `control character U+${code} ${why}`, hint);
}

/** Rejects `%YAML 1.1`, under which the library reads `yes` as true and `010` as 8. Documents are YAML 1.2. */
function findVersionDirective(text: string): DocumentProblem | undefined {
  // Directives stand before the first `---`. A later line that begins with `%` is content.
  const head = text.slice(0, Math.max(0, text.search(/^---(\s|$)/m)));
  const directive = versionDirective.exec(head);
  return directive === null
    ? undefined
    : createSyntaxProblem(directive.index, directive.index + directive[0].length, 'only YAML 1.2 is supported');
}

/** The lexer emits this character before each unquoted scalar. */
const scalarMark = '\x1f';
/** What the lexer emits without any text: before an unquoted scalar, at the start of a document, where a flow collection ends too early. */
const marks = new Set([scalarMark, '\x02', '\x18']);
/** The lexemes that begin a node, and those that may stand for an empty one. */
const nodeStarts = new Set([scalarMark, '"', "'", '*', '[', '{']);
const quotes = new Set(['"', "'"]);
const blockIndicators = new Set(['-', '?', ':']);
/** Each alias is an error to report, which costs more than a value. */
const aliasWeight = 10;

type Token = Parameters<Composer['next']>[0];

function readTokens(text: string): Token[] | DocumentProblem {
  const lexemes = readLexemes(text);
  if (!Array.isArray(lexemes)) return lexemes;
  const parser = new Parser();
  const tokens: Token[] = [];
  for (const lexeme of lexemes) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > maximumNesting)
      return createExcessProblem(parser.offset, text, `is nested more than ${maximumNesting} levels deep`);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** Lexemes are counted before any is parsed: most of the work is still to come. */
function readLexemes(text: string): string[] | DocumentProblem {
  const lexemes: string[] = [];
  let offset = 0;
  let nodes = 0;
  let indicated = 0;
  let before = '';
  const hasControls = onlyQuoted.test(text);
  for (const lexeme of new Lexer().lex(text)) {
    lexemes.push(lexeme);
    if (hasControls && (before === scalarMark || !quotes.has(lexeme.charAt(0)))) {
      const character = onlyQuoted.exec(lexeme);
      if (character !== null) return createCharacterProblem(character, offset, 'is allowed only in quotes');
    }
    if (!marks.has(lexeme)) offset += lexeme.length;
    if (before !== scalarMark) {
      const start = lexeme.charAt(0);
      if (nodeStarts.has(start)) nodes += start === '*' ? aliasWeight : 1;
      else if (blockIndicators.has(lexeme)) indicated += 1;
    }
    before = lexeme;
    if (nodes > maximumNodes || indicated > maximumNodes)
      return createExcessProblem(offset, text, `has more than ${maximumNodes} keys and values`);
    if (lexemes.length > maximumTokens)
      return createExcessProblem(offset, text, `has more than ${maximumTokens} tokens`);
  }
  return lexemes;
}

function createExcessProblem(offset: number, text: string, excess: string): DocumentProblem {
  const at = Math.min(offset, text.length);
  return createSyntaxProblem(at, at, `document ${excess}`);
}

function* listSyntaxProblems(documents: readonly Document.Parsed[], text: string): Generator<DocumentProblem> {
  const [first, second] = documents;
  if (first === undefined || (first.contents === null && first.errors.length === 0))
    yield createSyntaxProblem(0, 0, 'document is empty', 'a document begins with `oatf: "0.1"`');
  const errors = first?.errors ?? [];
  for (const error of errors.slice(0, mostErrors)) {
    // For something that is never closed, the library points one character past the end.
    const [from, to] = error.pos.map((offset) => Math.min(offset, text.length)) as [number, number];
    const problem = createSyntaxProblem(from, to, lowercaseFirst(error.message));
    // A tag with an undeclared handle is a custom tag like any other.
    yield error.code === 'TAG_RESOLVE_FAILED' ? { ...problem, rule: 'V-020' } : problem;
  }
  const last = errors[mostErrors - 1];
  if (last !== undefined) {
    const at = Math.min(last.pos[0], text.length);
    yield createSyntaxProblem(at, at, `only the first ${mostErrors} errors of a text are reported`);
  }
  if (second !== undefined) {
    const [from] = second.range ?? [text.length];
    yield createSyntaxProblem(from, from, 'text holds more than one YAML document', 'one file describes one attack');
  }
}

function createSyntaxProblem(from: number, to: number, message: string, hint?: string): DocumentProblem {
  const problem = { kind: 'syntax', message, path: [], from, to } as const;
  return hint === undefined ? problem : { ...problem, hint };
}

function lowercaseFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
}

export type ParsedValue =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** Parses a single value in YAML or JSON, within the limits of documents. */
export function parseValue(text: string): ParsedValue {
  const { yaml, problems } = readYaml(text);
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, problem: problem.message };
  return yaml === undefined ? { ok: false, problem: 'the text is empty' } : { ok: true, value: yaml.toJS() as Value };
}

/** A parse error, before its offsets are converted to lines and columns. */
export interface DocumentProblem {
  readonly kind: ParseErrorKind;
  readonly message: string;
  readonly path: Path;
  /** Offsets into the text. */
  readonly from: number;
  readonly to: number;
  readonly rule?: string;
  readonly hint?: string;
}

const decimal = /^([-+]?)0*(\d*)\.?(\d*)((?:[eE][-+]?\d+)?)$/;

/** Converts a YAML number to JSON's spelling; undefined for infinities and NaN, which JSON lacks. */
export function readYamlNumber({ value, source }: Scalar): number | WrittenNumber | undefined {
  if (source === undefined || String(value) === source) return Number(value);
  const parts = decimal.exec(source);
  if (parts === null) return /^0[xo]/.test(source) ? parseWrittenNumber(String(BigInt(source))) : undefined;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = parts;
  const point = fraction === '' ? '' : '.';
  return parseWrittenNumber(`${sign === '-' ? '-' : ''}${whole || '0'}${point}${fraction}${exponent}`);
}

export type Positions = (from: number, to: number) => SourceRange;

/** Converts offsets to lines and columns. The table of line starts grows only as far as needed. */
export function createPositions(text: string): Positions {
  const starts = [0];
  let end = text.indexOf('\n');
  const at = (offset: number): SourcePosition => {
    for (; end >= 0 && end < offset; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
    const line = findLastStart(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1, offset };
  };
  return (from, to) => ({ start: at(from), end: at(Math.max(from, to)) });
}

function findLastStart(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
