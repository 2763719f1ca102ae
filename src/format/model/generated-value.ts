import type { Value, ValueMap } from './value.ts';
import { noteWritten } from './written-number.ts';

/** How a value is made. Its bytes depend on nothing else. */
export interface Recipe {
  readonly kind: string;
  readonly seed: string;
  /** Set if the value is sent as a string that holds its JSON. */
  readonly as?: 'text';
  /** The text before and after the value, if the value is part of a string. */
  readonly before?: string;
  readonly after?: string;
  readonly parameters: ValueMap;
}

/**
 * A value that is generated while it is written, because it may not fit into memory. Code that walks values sees a single
 * value with nothing inside.
 */
export class GeneratedValue {
  readonly #recipe: Recipe;
  readonly #written: Value;

  /** `written` is the value that stands in the document. */
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

  /** The text by which `stringifyJson` recognises it. It contains no quote or backslash, and no number begins with `@`. */
  toString(): string {
    return `@${encodeURIComponent(JSON.stringify(this.#recipe))}`;
  }

  toJSON(): string {
    noteWritten();
    return String(this);
  }
}

/**
 * Stands before and after a recipe in JSON text. JSON allows this character only as an escape, so no content can forge it.
 */
export const recipeMark = '\u0001';

/** Reads the recipe from the text between two marks. */
export function readRecipe(text: string): Recipe {
  return JSON.parse(decodeURIComponent(text)) as Recipe;
}
