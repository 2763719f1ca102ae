import { stringifyJson } from '../model/json-text-values.ts';
import { type Generator, mostDepth, textChunkLength } from './generator.ts';
import { makeMany } from './text-chunks.ts';

const mostCount = 10_000_000;

function* repeatUnits(count: number, units: readonly string[]): Iterable<string> {
  const length = units.join('').length;
  const rounds = Math.max(1, Math.floor(textChunkLength / length)) * units.length;
  for (let at = 0; at < count; at += rounds) {
    let piece = '';
    for (let index = at; index < Math.min(count, at + rounds); index += 1) piece += units[index % units.length];
    yield piece;
  }
}

export const nestedGenerator: Generator = {
  makes: 'value',
  says: 'objects or lists within each other',
  parameters: {
    depth: { type: 'integer', least: 1, most: mostDepth, default: 10_000, says: 'how many levels' },
    of: { type: 'choice', of: ['objects', 'lists', 'both'], default: 'both', says: 'what is nested' },
    key: { type: 'text', default: 'a', says: 'the key of each object' },
    leaf: { type: 'value', default: null, says: 'the innermost value' },
  },
  *make(given) {
    const object = `{${stringifyJson(given.text('key'))}:`;
    const of = given.text('of');
    const isObject = of === 'objects' ? [true] : of === 'lists' ? [false] : [true, false];
    const depth = given.integer('depth');
    yield* repeatUnits(
      depth,
      isObject.map((is) => (is ? object : '[')),
    );
    yield stringifyJson(given.value('leaf'));
    const closings = isObject.map((is) => (is ? '}' : ']'));
    // From the innermost outward.
    const outward = depth % 2 === 0 ? closings.toReversed() : closings;
    yield* repeatUnits(depth, outward);
  },
  weigh: (given) => given.integer('depth') * (given.text('key').length + 6),
};

export const keysGenerator: Generator = {
  makes: 'value',
  says: 'an object with many keys, or with one key many times',
  parameters: {
    count: { type: 'integer', least: 1, most: mostCount, default: 10_000, says: 'how many keys' },
    key: { type: 'text', default: 'key', says: 'the beginning of each key; a number follows' },
    repeated: { type: 'flag', default: false, says: 'whether it is the same key every time' },
    value: { type: 'value', default: null, says: 'the value of each key' },
  },
  *make(given) {
    const [key, isRepeated] = [given.text('key'), given.flag('repeated')];
    const value = stringifyJson(given.value('value'));
    const name = (index: number): string => stringifyJson(isRepeated ? key : `${key}${index + 1}`);
    yield '{';
    yield* makeMany(given.integer('count'), (index) => `${index === 0 ? '' : ','}${name(index)}:${value}`);
    yield '}';
  },
  weigh: (given) =>
    given.integer('count') * (given.text('key').length + 12 + stringifyJson(given.value('value')).length),
};

/** The placeholder for the number of an item in its texts. */
const number = '{n}';

export const itemsGenerator: Generator = {
  makes: 'items',
  says: 'many items of the list, such as tools or resources, instead of one',
  parameters: {
    count: { type: 'integer', least: 1, most: mostCount, default: 1_000, says: 'how many' },
    item: { type: 'value', says: `an item; ${number} in its texts is the number of each, from 1` },
  },
  make(given) {
    const parts = stringifyJson(given.value('item')).split(number);
    return makeMany(given.integer('count'), (index) => (index === 0 ? '' : ',') + parts.join(String(index + 1)));
  },
  weigh: (given) => given.integer('count') * (stringifyJson(given.value('item')).length + 8),
};

const edges: readonly string[] = [
  ...['0', '-0', '-0.0', '1e400', '-1e400', '1e-400', '5e-324', '1.7976931348623157e308'],
  ...['9007199254740991', '9007199254740993', '-9007199254740993', '2147483648', '4294967296'],
  ...['9223372036854775807', '9223372036854775808', '18446744073709551615', '18446744073709551616'],
  ...['0.1', '0.30000000000000004', '1.0', '1E+2', '123456789012345678901234567890'],
];

export const numbersGenerator: Generator = {
  makes: 'value',
  says: 'a list of numbers at the limits of what programs can represent',
  parameters: {
    digits: {
      type: 'integer',
      least: 1,
      most: 1_000_000,
      default: 1_000,
      says: 'the digits of the longest number',
    },
  },
  *make(given) {
    yield `[${edges.join(',')},`;
    yield* repeatUnits(given.integer('digits'), ['9']);
    yield ']';
  },
  weigh: (given) => 1_000 + given.integer('digits'),
};

export const referencesGenerator: Generator = {
  makes: 'value',
  says: 'a JSON Schema whose references lead from one to the next',
  parameters: {
    depth: { type: 'integer', least: 1, most: mostDepth, default: 1_000, says: 'how many references' },
    cycle: { type: 'flag', default: false, says: 'whether the last leads back to the first' },
  },
  *make(given) {
    const depth = given.integer('depth');
    const to = (index: number): string => `{"$ref":"#/$defs/d${index}"}`;
    yield '{"$ref":"#/$defs/d1","$defs":{';
    yield* makeMany(depth - 1, (index) => `"d${index + 1}":${to(index + 2)},`);
    yield `"d${depth}":${given.flag('cycle') ? to(1) : '{"type":"string"}'}}}`;
  },
  weigh: (given) => 64 + given.integer('depth') * 44,
};
