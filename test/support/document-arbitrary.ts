import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parseDocument, visit, Document as YamlDocument } from 'yaml';
import { enumerations } from '../../src/format/model/enumeration-types.ts';
import type { FieldType, TypeName } from '../../src/format/registry/field-table.ts';
import { toDocumentKey, types } from '../../src/format/registry/fields.ts';
import type { Value, ValueMap } from '../../src/index.ts';

// Random documents in the spelling of the format, made from the field table, so that new fields are generated
// automatically.

const nastyTexts = [
  '',
  ' ',
  ' leading',
  'trailing ',
  'two\nlines',
  '\nline first',
  'line last\n',
  'many last\n\n\n',
  ' indented\n  more\n',
  'tab\there',
  '\ttab first',
  'a\r\nb',
  'a line that is longer than forty characters\n \n  x\n  ',
  'a: b',
  'a:',
  ': a',
  '# no comment',
  'a #b',
  'a # b',
  '- item',
  '-',
  '---',
  '...',
  '--- a\n--- b',
  '? a',
  '[a, b]',
  '{a: b}',
  '"quoted"',
  "'single'",
  'it\'s "both"',
  'back\\slash',
  '%YAML 1.1',
  '@at',
  '`tick`',
  '!tag',
  '&anchor',
  '*alias',
  '|',
  '>',
  '|-\n x',
  '<<',
  '=',
  '~',
  'null',
  'Null',
  'true',
  'False',
  'yes',
  'off',
  '0',
  '-0',
  '010',
  '0x1F',
  '0o17',
  '1e3',
  '.5',
  '1.0',
  '+1',
  '.inf',
  '-.INF',
  '.nan',
  '12345678901234567890',
  '1_000',
  '1:30',
  '2026-03-24',
  '2026-03-24T10:30:00Z',
  '{{',
  '}}',
  '{{name}}',
  '{{actor.name}}',
  '\\{{literal}}',
  '\u0000',
  '\u0007\u001b[31m',
  '\u007f',
  '\u0085',
  '\u009f',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffe',
  '\uffff',
  '\ud800',
  'a\udc00b',
  '😀',
  'é\u0301',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'x-own',
  `${'long '.repeat(40)}\nline`,
  'word '.repeat(60),
  'k'.repeat(1_100),
];

const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nastyTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(...nastyTexts), { maxLength: 4 }).map((parts) => parts.join('\n')),
  },
);

const number = fc.oneof(
  fc.integer(),
  // JavaScript writes a negative zero without its sign.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom(0, 1e21, 1e-7, Number.MAX_SAFE_INTEGER),
);

/** Pass-through content: anything that YAML's core schema has. */
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    nastyText,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    mapOf(tie('value')),
  ),
})).value;

function mapOf(item: fc.Arbitrary<Value>): fc.Arbitrary<ValueMap> {
  return fc
    .uniqueArray(fc.tuple(nastyText, item), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries));
}

/** `well-formed`: mostly values that the field's pattern allows; the rest breaks a rule, but not the parser. */
const shapedTexts = fc.constantFrom(
  'ACME-001',
  'mcp_server',
  'a2a_client',
  'ag_ui_client',
  'default',
  'arguments',
  'tools[*].name',
  '30s',
  'PT1H',
  'a.b',
);

function field(type: FieldType, depth: number): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'string':
      return type.pattern === undefined ? nastyText : fc.oneof({ weight: 3, arbitrary: shapedTexts }, nastyText);
    case 'integer':
      return fc.integer({ min: type.minimum ?? -3, max: type.maximum ?? 1_000 });
    case 'number':
      return number;
    case 'boolean':
      return fc.boolean();
    case 'value':
      return value;
    case 'state':
      return value.filter((state) => state !== null);
    case 'condition':
      return fc.oneof(
        object('MatchCondition', depth).filter((condition) => Object.keys(condition).length > 0),
        value.filter((plain) => !hasOperator(plain)),
      );
    case 'enumeration':
      return fc.constantFrom(...enumerations[type.of]);
    case 'object':
      return object(type.of, depth);
    case 'shorthand':
      return fc.oneof(fc.constantFrom(...enumerations[type.scalar]), object(type.object, depth));
    case 'list':
      return fc.array(field(type.of, depth), { maxLength: 3 });
    case 'map':
      return mapOf(field(type.of, depth));
  }
}

function hasOperator(plain: Value): boolean {
  const operators = Object.keys(types.MatchCondition.fields);
  return typeof plain === 'object' && plain !== null && operators.some((name) => Object.hasOwn(plain, name));
}

const extensionKey = nastyText.map((name) => `x-${name}`);
const bindingKey = nastyText.filter((name) => !name.startsWith('x-') && name !== 'send' && name !== 'log');

function collected(key: fc.Arbitrary<string>): fc.Arbitrary<readonly (readonly [string, Value])[]> {
  return fc.uniqueArray(fc.tuple(key, value), { maxLength: 2, selector: ([name]) => name });
}

function object(type: TypeName, depth = 0): fc.Arbitrary<ValueMap> {
  const { fields, extensible, otherKeys } = types[type];
  const rows = Object.entries(fields).map(([name, row]) =>
    (row.required ? field(row.type, depth + 1) : fc.option(field(row.type, depth + 1), { nil: undefined })).map(
      (item) => [toDocumentKey(name, row), item] as const,
    ),
  );
  const none = fc.constant([] as const);
  return fc
    .tuple(
      fc.tuple(...rows),
      extensible === true ? collected(extensionKey) : none,
      otherKeys === undefined ? none : collected(bindingKey),
      fc.nat(),
    )
    .map(([known, extensions, others, seed]) => {
      const entries = [...known.filter(([, item]) => item !== undefined), ...extensions, ...others];
      const pick = picker(seed);
      const places = new Map(entries.map(([key]) => [key, seed === 0 ? 0 : pick()]));
      entries.sort(([a], [b]) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
      return Object.fromEntries(entries) as ValueMap;
    });
}

/** A complete document that parses. It may break rules: normalize takes documents that were never validated. */
const documentValue: fc.Arbitrary<ValueMap> = object('Document');

/** Numbers from 0 to 99 that follow from a seed: one seed shrinks, a thousand choices do not. */
function picker(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % 100;
  };
}

/** A document written the way people and tools do: block, flow, every kind of quotes, comments, JSON. */
export const writtenDocument: fc.Arbitrary<{ readonly document: ValueMap; readonly text: string }> = fc
  .tuple(documentValue, fc.nat())
  .map(([document, seed]) => ({ document, text: writtenOnce(document, seed) }));

export const documentText: fc.Arbitrary<string> = writtenDocument.map(({ text }) => text);

const scalarTypes = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;

/** Properties that are given the same seed are given the same documents, and writing one takes longer than checking it. */
const known = new Map<string, string>();

function writtenOnce(document: ValueMap, seed: number): string {
  const key = JSON.stringify([document, seed]);
  const text = known.get(key) ?? write(document, seed);
  known.set(key, text);
  return text;
}

/** The library can write decorated trees that it reads back differently; those are written plainly instead. */
function write(document: ValueMap, seed: number): string {
  const decorated = writeIn(document, picker(seed), true);
  return readsAs(decorated, document) ? decorated : writeIn(document, picker(seed), false);
}

function readsAs(text: string, document: ValueMap): boolean {
  const read = parseDocument(text, { schema: 'core', version: '1.2', merge: false, logLevel: 'silent' });
  return read.errors.length === 0 && isDeepStrictEqual(read.toJS(), document);
}

function writeIn(document: ValueMap, pick: () => number, decorated: boolean): string {
  const yaml = new YamlDocument(document, { schema: 'core', version: '1.2', aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar(place, node) {
      if (typeof node.value === 'string') {
        const type = scalarTypes[pick() % scalarTypes.length] ?? 'PLAIN';
        if (decorated) node.type = place === 'key' && type.startsWith('BLOCK') ? 'QUOTE_DOUBLE' : type;
        // Texts that only escapes can write, and texts that mean something else without quotes.
        if (mustBeEscaped.test(node.value) || node.value === '<<') node.type = 'QUOTE_DOUBLE';
        // The library takes the spaces of such a block for its indentation.
        if (!decorated && beginsBlank.test(node.value)) node.type = 'QUOTE_DOUBLE';
      }
      if (!decorated) return;
      if (pick() < 8) node.commentBefore = ' why';
      if (pick() < 8 && !isBlock(node.type)) node.comment = ' trailing';
      if (pick() < 8) node.spaceBefore = true;
    },
    Collection(_, node) {
      if (pick() < 15 && decorated) node.flow = true;
      if (pick() < 8 && decorated) node.commentBefore = ' above';
    },
  });
  const lineWidth = pick() < 50 || !decorated ? 0 : 60;
  return escapeUnprintable(
    yaml.toString({
      lineWidth,
      indent: decorated ? 2 + (pick() % 3) : 2,
      doubleQuotedMinMultiLineLength: decorated ? 40 : Number.MAX_SAFE_INTEGER,
    }),
  );
}

function isBlock(type: string | undefined): boolean {
  return type?.startsWith('BLOCK') === true;
}

const mustBeEscaped =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const beginsBlank = /^\n*[ \t]+(?:\n|$)/;

/** They only stand in double-quoted strings, see above. */
function escapeUnprintable(text: string): string {
  return text.replace(
    new RegExp(mustBeEscaped, 'g'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const fragments = [
  '\n',
  ' ',
  '  ',
  '\t',
  ': ',
  ':',
  '- ',
  '? ',
  '#',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '|',
  '>',
  '&a ',
  '*a',
  '!x ',
  '!!str ',
  '!!int ',
  '<<: ',
  '---\n',
  '...\n',
  '%YAML 1.2\n',
  '%TAG ! x:\n',
  '\r',
  '\u0000',
  '\ufeff',
  '\ud800',
  'oatf',
  'attack',
  '~',
];

const fragment = fc.oneof(fc.constantFrom(...fragments), nastyText);

/** Text of nothing but trouble. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
);

/** A document's text with a few places cut out, doubled or filled with something else. */
export const mutatedText: fc.Arbitrary<string> = fc
  .tuple(
    documentText,
    fc.array(fc.record({ at: fc.nat(), length: fc.nat(8), put: fragment }), { minLength: 1, maxLength: 4 }),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, { at, length, put }) => {
      const from = at % (changed.length + 1);
      return changed.slice(0, from) + put + changed.slice(from + length);
    }, text),
  );
