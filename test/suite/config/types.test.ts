import { expect, test } from 'vitest';
import {
  eitherShape,
  listShape,
  neededField,
  objectShape,
  shapeByKey,
} from '../../../src/suite/config/compound-shapes.ts';
import { type Config, defineConfig } from '../../../src/suite/config/config.ts';
import { booleanShape, choiceShape, numberShape, textShape } from '../../../src/suite/config/scalar-shapes.ts';

// The compiler ensures that the table of settings and the type `Config` agree: each of these would be a mistake in the
// table, and none compiles.

interface Some {
  readonly name: string;
  readonly size?: number;
  readonly colour?: 'red' | 'green';
  readonly tags?: string | readonly string[];
}

test('the settings table compiles only with a row of the right type for each field', () => {
  const right = objectShape<Some>({
    name: neededField(textShape()),
    size: numberShape({ least: 0 }),
    colour: choiceShape(['red', 'green']),
    tags: eitherShape(textShape(), listShape(textShape())),
  });
  expect(right.kind).toBe('mapping');

  const rest = {
    name: neededField(textShape()),
    size: numberShape({ least: 0 }),
    tags: eitherShape(textShape(), listShape(textShape())),
  };
  // @ts-expect-error a field is missing
  objectShape<Some>(rest);
  // @ts-expect-error a field is of another type
  objectShape<Some>({ ...rest, colour: booleanShape });
  // @ts-expect-error a choice is missing
  objectShape<Some>({ ...rest, colour: choiceShape(['red']) });
  // @ts-expect-error there is a choice too many
  objectShape<Some>({ ...rest, colour: choiceShape(['red', 'green', 'blue']) });
  const colour = choiceShape(['red', 'green']);
  // @ts-expect-error one of two ways to say it is missing
  objectShape<Some>({ ...rest, colour, tags: textShape() });
  // @ts-expect-error what is needed is optional here
  objectShape<Some>({ ...rest, colour, name: textShape() });
  // @ts-expect-error there is no such field
  objectShape<Some>({ ...rest, colour, other: textShape() });
});

test('shapeByKey compiles only with every kind of a union', () => {
  interface Cat {
    readonly cat: string;
  }
  interface Dog {
    readonly dog: string;
  }
  const cat = objectShape<Cat>({ cat: neededField(textShape()) });
  const dog = objectShape<Dog>({ dog: neededField(textShape()) });
  const pets = objectShape<{ readonly pet?: Cat | Dog }>({
    pet: shapeByKey('a pet', { cat, dog }),
  });
  expect(pets.kind).toBe('mapping');
  // @ts-expect-error a kind is missing
  objectShape<{ readonly pet?: Cat | Dog }>({ pet: shapeByKey('a pet', { cat }) });
});

test('defineConfig returns the configuration it is given', () => {
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
