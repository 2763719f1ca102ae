import { stringifyJson } from '../model/json-text-values.ts';
import { isCollection, setOwn, type Value } from '../model/value.ts';
import type { Generator } from './generator.ts';
import type { Random } from './random.ts';

const odd: readonly Value[] = [
  ...[null, true, 0, -1, 1e308, '', ' ', '\u0000', '../../etc/passwd', '%s%n', '{{x}}', '\ud800', '\u202e'],
  ...[[], {}, [[]], 'A'.repeat(5_000)],
];

const changes: readonly ((value: Value, random: Random) => Value)[] = [
  (_, random) => random.pick(odd),
  (value) => [value],
  (value) => ({ value }),
  (value) => String(value),
  (value, random) => replaceCharacter(String(value), random),
  (value) => `${String(value)}${String(value)}`,
  (value) => (typeof value === 'number' ? -value : stringifyJson(value)),
];

function replaceCharacter(text: string, random: Random): string {
  const at = random.below(Math.max(1, text.length));
  return text.slice(0, at) + String.fromCharCode(random.below(0x3000)) + text.slice(at + 1);
}

/** A copy with one change. */
function mutateText(value: Value, random: Random): Value {
  if (!isCollection(value) || Object.keys(value).length === 0) return random.pick(changes)(value, random);
  const keys = Object.keys(value);
  const key = random.pick(keys);
  const action = random.below(8);
  if (Array.isArray(value)) {
    const list = value as readonly Value[];
    const at = Number(key);
    if (action === 0) return list.toSpliced(at, 1);
    if (action === 1) return list.toSpliced(at, 0, list[at] as Value);
    return list.with(at, mutateText(list[at] as Value, random));
  }
  const copy: Record<string, Value> = {};
  for (const [name, item] of Object.entries(value)) {
    if (name !== key) setOwn(copy, name, item);
    else if (action === 1) setOwn(copy, replaceCharacter(name, random), item);
    else if (action !== 0) setOwn(copy, name, mutateText(item, random));
  }
  return copy;
}

export const mutated: Generator = {
  makes: 'value',
  says: 'a copy of a value with random changes',
  parameters: {
    value: { type: 'value', says: 'the value; default: the value in the document' },
    changes: { type: 'integer', least: 1, most: 10_000, default: 1, says: 'how many changes' },
  },
  *make(given, random) {
    let value = given.value('value');
    for (let left = given.integer('changes'); left > 0; left -= 1) value = mutateText(value, random);
    yield stringifyJson(value);
  },
  weigh: (given) => stringifyJson(given.value('value')).length * 2 + 6_000 * given.integer('changes'),
};
