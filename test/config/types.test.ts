import { expect, test } from 'vitest';
import { byKey, either, list, needed, object, optional } from '../../src/config/compounds.ts';
import { type Config, defineConfig } from '../../src/config/config.ts';
import { boolean, choice, number, text } from '../../src/config/scalars.ts';

// The compiler ensures that the table of settings and the type `Config` agree: each of these would be a mistake in the
// table, and none compiles.

interface Some {
  readonly name: string;
  readonly size?: number;
  readonly colour?: 'red' | 'green';
  readonly tags?: string | readonly string[];
}

test('the table has a row for each field, of the field’s own type', () => {
  const right = object<Some>({
    name: needed(text(), ''),
    size: optional(number({}), ''),
    colour: optional(choice(['red', 'green']), ''),
    tags: optional(either(text(), list(text())), ''),
  });
  expect(right.kind).toBe('mapping');

  const rest = {
    name: needed(text(), ''),
    size: optional(number({}), ''),
    tags: optional(either(text(), list(text())), ''),
  };
  // @ts-expect-error a field is missing
  object<Some>(rest);
  // @ts-expect-error a field is of another type
  object<Some>({ ...rest, colour: optional(boolean, '') });
  // @ts-expect-error a choice is missing
  object<Some>({ ...rest, colour: optional(choice(['red']), '') });
  // @ts-expect-error there is a choice too many
  object<Some>({ ...rest, colour: optional(choice(['red', 'green', 'blue']), '') });
  // @ts-expect-error one of two ways to say it is missing
  object<Some>({ ...rest, colour: optional(choice(['red', 'green']), ''), tags: optional(text(), '') });
  // @ts-expect-error what is needed is optional here
  object<Some>({ ...rest, colour: optional(choice(['red', 'green']), ''), name: optional(text(), '') });
  // @ts-expect-error there is no such field
  object<Some>({ ...rest, colour: optional(choice(['red', 'green']), ''), other: optional(text(), '') });
});

test('kinds that are told apart by a key are the union of their types', () => {
  interface Cat {
    readonly cat: string;
  }
  interface Dog {
    readonly dog: string;
  }
  const cat = object<Cat>({ cat: needed(text(), '') });
  const dog = object<Dog>({ dog: needed(text(), '') });
  const pets = object<{ readonly pet?: Cat | Dog }>({ pet: optional(byKey('a pet', { cat, dog }), '') });
  expect(pets.kind).toBe('mapping');
  // @ts-expect-error a kind is missing
  object<{ readonly pet?: Cat | Dog }>({ pet: optional(byKey('a pet', { cat }), '') });
});

test('defineConfig takes a configuration, and gives it back', () => {
  const config: Config = { agent: 'mine', targets: { mine: { function: ({ prompt }) => prompt } } };
  expect(defineConfig(config)).toBe(config);
  // @ts-expect-error there is no such setting
  defineConfig({ timout: '3s' });
  // @ts-expect-error a target is of one kind
  defineConfig({ targets: { mine: { command: 'node', llm: 'small' } } });
  // @ts-expect-error whatever the other kind is
  defineConfig({ targets: { mine: { http: 'http://127.0.0.1/', a2a: 'http://127.0.0.1/' } } });
  // @ts-expect-error a program has no URL
  defineConfig({ targets: { mine: { command: 'node', agUi: 1 } } });
});
