import type { Value, ValueMap } from './value.ts';
import { noteWritten } from './written-number.ts';

/** How a value is made: all that its bytes depend on. */
export interface Recipe {
  readonly kind: string;
  readonly seed: string;
  /** Where a value is to be the text of its JSON. */
  readonly as?: 'text';
  /** What stands around a text. */
  readonly before?: string;
  readonly after?: string;
  readonly parameters: ValueMap;
}

/**
 * A value that is made while it is written, since all of it may not fit into memory. Among values it stands for a single
 * one, that has nothing in it.
 */
export class GeneratedValue {
  readonly #recipe: Recipe;
  readonly #written: Value;

  /** `written` is what stands in the document. */
  constructor(recipe: Recipe, written: Value) {
    this.#recipe = recipe;
    this.#written = written;
  }

  get recipe(): Recipe {
    return this.#recipe;
  }

  get written(): Value {
    return this.#written;
  }

  /** What `stringifyJson` knows it by. It has neither quotes nor backslashes, and no number begins so. */
  toString(): string {
    return `@${encodeURIComponent(JSON.stringify(this.#recipe))}`;
  }

  toJSON(): string {
    noteWritten();
    return String(this);
  }
}

/** Stands on both sides of a recipe in a text of JSON. JSON has this character in escapes only, so nobody can forge one. */
export const recipeMark = '\u0001';

/** The recipe that stands between two marks. */
export function readRecipe(text: string): Recipe {
  return JSON.parse(decodeURIComponent(text)) as Recipe;
}
