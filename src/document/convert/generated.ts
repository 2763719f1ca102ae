import type { YAMLMap } from 'yaml';
import { generateKey } from '../../model/generate.ts';
import type { Value } from '../../model/value.ts';
import { listAt, mapAt, mapsAt, nodeOf, type Place, type Rewriting, tell, textAt } from './change.ts';

// Payloads that ThoughtJack makes, as values that `x-generate` makes.

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

/** What makes the same; nothing where nothing does. */
const kinds: { readonly [kind: string]: (given: Parameters) => Entry } = {
  nested_json: ({ depth, structure, inner }) =>
    whole({ kind: 'nested', as: 'text', depth, of: meant(structure, structures), leaf: inner }),
  garbage: ({ bytes, charset }) => whole({ kind: 'noise', bytes, alphabet: meant(charset, alphabets) }),
  repeated_keys: ({ count, key, value }) =>
    whole({ kind: 'keys', as: 'text', count, key, value, repeated: true }),
  unicode_spam: ({ bytes, category, carrier }) =>
    whole({ kind: 'unicode', bytes, of: meant(category, categories), carrier }),
  ansi_escape: ({ sequences: of, payload, bytes }) =>
    whole({
      kind: 'ansi',
      bytes,
      of: Array.isArray(of) ? of.map((each) => meant(each, sequences) ?? each) : undefined,
      carrier: payload,
    }),
};

function meant(word: Value | undefined, words: Parameters): Value | undefined {
  return typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined;
}

function whole(entry: { readonly [name: string]: Value | undefined }): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as Parameters;
}

/** `generate` beside a content of a tool's answer becomes an entry of the phase. */
export function rewriteGenerated(rewriting: Rewriting, phase: Place, state: Place): void {
  mapsAt(state, 'tools').forEach((tool, toolIndex) => {
    mapsAt(tool, 'responses').forEach((response, responseIndex) => {
      mapsAt(response, 'content').forEach((item, index) => {
        const pointer = `/state/tools/${toolIndex}/responses/${responseIndex}/content/${index}/text`;
        rewriteItem(rewriting, phase.map, item, pointer);
      });
    });
  });
}

function rewriteItem(rewriting: Rewriting, phase: YAMLMap, { map, path }: Place, at: string): void {
  if (!map.has('generate')) return;
  const here = [...path, 'generate'];
  const generate = mapAt(map, 'generate');
  const kind = generate === undefined ? undefined : (textAt(generate, 'kind') ?? textAt(generate, 'type'));
  const { parameters, seed, kind: _, type: __, ...flat } = (generate?.toJSON() ?? {}) as Parameters;
  const given = { ...flat, ...(parameters as Parameters | undefined) };
  const make = kind !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (make === undefined) {
    const which = kind === undefined ? 'it names no kind' : `nothing makes ${kind} here`;
    tell(rewriting, 'left', here, map, `${which}: write the payload out, or see docs/generated.md`);
    return;
  }
  const entry = { at, ...make(given), ...(seed !== undefined && { seed }) };
  map.delete('generate');
  map.set('text', 'generated');
  const entries = listAt(phase, generateKey);
  if (entries === undefined) phase.set(generateKey, nodeOf(rewriting, [entry]));
  else entries.add(nodeOf(rewriting, entry));
  tell(rewriting, 'rewritten', here, map, 'it is an entry of `x-generate`, an extension of this tool');
}
