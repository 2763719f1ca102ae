import type { YAMLMap } from 'yaml';
import { generateKey } from '../../model/extension-keys.ts';
import type { Value } from '../../model/value.ts';
import type { Rewriting, RewrittenMapping } from './change.ts';
import { createNode, getText, listAt, listMappings, mapAt, recordChange } from './change.ts';

// Rewrites payloads that ThoughtJack generates as entries of `x-generate`.

type Parameters = { readonly [name: string]: Value };
type Entry = Parameters | undefined;

const structures: Parameters = { object: 'objects', array: 'lists', mixed: 'both' };
const alphabets: Parameters = {
  ...{ ascii: 'printable', numeric: 'digits', alphanumeric: 'letters', binary: 'bytes', utf8: 'any' },
};
const categories: Parameters = {
  ...{
    zero_width: 'invisible',
    homoglyph: 'homoglyphs',
    combining: 'combining',
    rtl: 'bidi',
    emoji: 'emoji',
  },
};
const sequences: Parameters = {
  ...{ cursor_move: 'cursor', color: 'colour', title: 'title', hyperlink: 'link', clear: 'clear' },
};

/**
 * The entry that generates the same value, or the nearest to it; undefined if no kind does. ThoughtJack's program has the
 * first four kinds, here with its defaults. Its documentation has the others.
 */
const kinds: { readonly [kind: string]: (given: Parameters) => Entry } = {
  nested_json: ({ depth = 100, structure }) =>
    dropUndefined({
      kind: 'nested',
      as: 'text',
      depth,
      of: translateWord(structure, structures) ?? 'objects',
      leaf: 'leaf',
    }),
  unbounded_line: ({ length = 1_000_000, char }) =>
    dropUndefined({
      kind: 'text',
      bytes: length,
      repeat: typeof char === 'string' ? [...char][0] : undefined,
    }),
  // ThoughtJack writes the bytes in hexadecimal, with two characters per byte.
  random_bytes: ({ size = 1024 }) => dropUndefined({ kind: 'noise', bytes: Number(size) * 2, alphabet: 'printable' }),
  unicode_stress: ({ category = 'mixed', repeat = 100 }) => {
    const of = category === 'mixed' ? mixed : translateWord(category, categories);
    return of === undefined ? undefined : dropUndefined({ kind: 'unicode', bytes: Number(repeat) * patternBytes, of });
  },
  garbage: ({ size = 1024, charset = 'ascii' }) =>
    dropUndefined({ kind: 'noise', bytes: size, alphabet: translateWord(charset, alphabets) }),
  repeated_keys: ({ count = 1000, key_length = 8 }) =>
    dropUndefined({
      ...{ kind: 'keys', as: 'text', count, repeated: true },
      key: 'k'.repeat(Math.min(64, Number(key_length) || 1)),
    }),
  unicode_spam: ({ size = 1024, categories: of }) =>
    dropUndefined({ kind: 'unicode', bytes: size, of: translateWords(of, categories) ?? mixed }),
  ansi_escape: ({ sequences: of }) => dropUndefined({ kind: 'ansi', of: translateWords(of, sequences) }),
};

/** The size of each repetition of ThoughtJack's pattern. */
const patternBytes = 14;
const mixed: Value = ['bidi', 'invisible', 'combining', 'emoji'];

function translateWords(list: Value | undefined, known: Parameters): Value | undefined {
  return Array.isArray(list)
    ? (list as readonly Value[]).flatMap((each) => translateWord(each, known) ?? [])
    : undefined;
}

function translateWord(word: Value | undefined, words: Parameters): Value | undefined {
  return typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined;
}

function dropUndefined(entry: { readonly [name: string]: Value | undefined }): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as Parameters;
}

/** Turns `generate` in the content of a tool's response into an entry of the phase. */
export function rewriteGenerated(rewriting: Rewriting, phase: RewrittenMapping, state: RewrittenMapping): void {
  listMappings(state, 'tools').forEach((tool, toolIndex) => {
    listMappings(tool, 'responses').forEach((response, responseIndex) => {
      const pointer = `/state/tools/${toolIndex}/responses/${responseIndex}/content`;
      // The entry holds the content of an answer, or a whole result with content.
      const result = mapAt(response.map, 'content');
      const inner =
        result === undefined ? [] : listMappings({ map: result, path: [...response.path, 'content'] }, 'content');
      inner.forEach((item, index) => {
        rewriteItem(rewriting, phase.map, item, `${pointer}/content/${index}/text`);
      });
      listMappings(response, 'content').forEach((item, index) => {
        rewriteItem(rewriting, phase.map, item, `${pointer}/${index}/text`);
      });
    });
  });
}

function rewriteItem(rewriting: Rewriting, phase: YAMLMap, { map, path }: RewrittenMapping, at: string): void {
  if (!map.has('generate')) return;
  const here = [...path, 'generate'];
  const generate = mapAt(map, 'generate');
  const kind = generate === undefined ? undefined : (getText(generate, 'kind') ?? getText(generate, 'type'));
  const { parameters, seed, kind: _, type: __, ...flat } = (generate?.toJSON() ?? {}) as Parameters;
  const given = { ...flat, ...(parameters as Parameters | undefined) };
  const make = kind !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (make === undefined) {
    const which = kind === undefined ? 'it names no kind' : `nothing makes ${kind} here`;
    recordChange(rewriting, 'left', here, map, `${which}: write the payload out, or see docs/extensions/generate.md`);
    return;
  }
  const entry = { at, ...make(given), ...(seed !== undefined && { seed }) };
  map.delete('generate');
  map.set('text', 'generated');
  const entries = listAt(phase, generateKey);
  if (entries === undefined) phase.set(generateKey, createNode(rewriting, [entry]));
  else entries.add(createNode(rewriting, entry));
  recordChange(rewriting, 'rewritten', here, map, 'it is an entry of `x-generate`, an extension of this tool');
}
