import { type CollectionTag, isScalar, Scalar, type ScalarTag, stringify, type Tags, visit } from 'yaml';
import { stringifyString } from 'yaml/util';
import type { Document } from '../model/attack-document.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { Value } from '../model/value.ts';
import { WrittenNumber } from '../model/written-number.ts';
import { encode } from './encode-document.ts';
import { normalize } from './normalize-document.ts';
import { readYamlNumber, unprintable, type YamlDocument } from './read-yaml.ts';

/** Writes a tree in our style, with its comments. Changes the tree. */
export function writeYaml(yaml: YamlDocument): string {
  visit(yaml, {
    Pair: (_, { key }) => {
      if (isScalar(key)) keepKeyText(key);
    },
    Collection: (_, node) => {
      if (node.items.length > 0) node.flow = false;
    },
    Scalar: (_, node) => {
      // Quotes have the same effect as `!!str`, and no other allowed tag makes a string.
      if (typeof node.value === 'string') delete node.tag;
      // The library writes `1e400` as an infinity, and rounds numbers with too many digits.
      if (typeof node.value === 'number') node.value = readYamlNumber(node) ?? node.value;
      if (node.type === 'QUOTE_SINGLE' && !/["\\]/.test(String(node.value))) node.type = 'QUOTE_DOUBLE';
    },
  });
  yaml.directives.docStart = null;
  yaml.setSchema('1.2', { schema: 'core', customTags: createScalarTags });
  return yaml.toString(yamlStyle);
}

/** Keeps the text of a key: `1e3` must not become `1e+3`. */
function keepKeyText(key: Scalar): void {
  if (typeof key.value === 'string' || String(key.value) === key.source) return;
  key.value = key.source ?? String(key.value);
  key.type = 'QUOTE_DOUBLE';
  delete key.format;
}

/**
 * Writes YAML in the normalized multi-actor form (SDK spec §3.4), with `oatf` first and fields in the order of the
 * specification.
 */
export function serialize(document: Document | NormalizedDocument): string {
  return stringify(encode('Document', normalize(document) as Document), {
    ...yamlStyle,
    customTags: createScalarTags,
  });
}

/** Writes a document that was built as data, in our style. */
export function writeValue(value: Value): string {
  return stringify(value, { ...yamlStyle, customTags: createScalarTags });
}

/** The width at which folded text wraps. Every other string stays on one line. */
const foldedWidth = 100;

/** How documents are written: in block style, with each line kept as one line. */
export const yamlStyle = {
  version: '1.2',
  schema: 'core',
  lineWidth: 0,
  minContentWidth: 0,
  // In a string over several lines, the library writes a line of spaces so that it reads back as a backslash.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  // Equal strings must not become an anchor and an alias.
  aliasDuplicateObjects: false,
} as const;

/** The core schema, with strings and numbers written so that `parse` reads them back. */
export function createScalarTags(tags: Tags): Tags {
  return [writtenNumberTag, ...tags.map((tag) => (isStringTag(tag) ? { ...tag, stringify: writeString } : tag))];
}

const writtenNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof WrittenNumber,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

function isStringTag(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === 'object' && (tag as ScalarTag | CollectionTag).tag === 'tag:yaml.org,2002:str';
}

const writeString: NonNullable<ScalarTag['stringify']> = (item, context, onComment, onChompKeep) => {
  const text = String(item.value);
  if (unprintable.test(text) || hasHiddenCharacters(text)) return escapeText(text);
  const lineWidth = item.type === Scalar.BLOCK_FOLDED ? foldedWidth : 0;
  const written = isQuotingNeeded(text) ? Object.assign(new Scalar(text), { type: Scalar.QUOTE_DOUBLE }) : item;
  // `actualString`: a text that looks like a number is quoted.
  const style = { actualString: true, ...context, options: { ...context.options, lineWidth } };
  return stringifyString(written as Scalar<string>, style, onComment, onChompKeep);
};

/** `<<` would be a merge key. A block that begins with a line of spaces would take them as its indentation. */
function isQuotingNeeded(text: string): boolean {
  return text === '<<' || /^\n*[ \t]+(?:\n|$)/.test(text);
}

// Characters that a reviewer of the document cannot see. Inside an emoji they are part of the picture.
const hidden = /\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/gu;
const emoji = /\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?)*/gu;

function hasHiddenCharacters(text: string): boolean {
  return text.search(hidden) !== -1 && text.replace(emoji, '').search(hidden) !== -1;
}

/** Escapes characters that JSON leaves alone but that a document may contain only as escapes, or should show. */
function escapeText(text: string): string {
  return JSON.stringify(text)
    .replace(new RegExp(unprintable, 'g'), (unit) => `\\u${formatHex(unit.charCodeAt(0), 4)}`)
    .replace(hidden, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code > 0xffff ? `\\U${formatHex(code, 8)}` : `\\u${formatHex(code, 4)}`;
    });
}

function formatHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
