interface Parameter {
  readonly text: string;
}

interface Returned {
  readonly text: string;
}

interface Base {
  readonly text: string;
}

interface Inferred {
  readonly text: string;
}

interface Private {
  readonly text: string;
}

/** Everything that it names can be imported, or is the language's own. */
export interface Named {
  readonly again: readonly Named[] | Promise<URL> | NodeJS.Signals;
}

/** Callers name the type of its member `Membered['part']`. */
export interface Membered {
  readonly part: Parameter;
}

export function wordless(named: Named): Named {
  return named;
}

/** Names two types that the entry leaves out. */
export function nameless(parameter: Parameter): Returned {
  const inside: Private = parameter;
  return inside;
}

/** Extends a type that the entry leaves out. */
export interface Shown<T> extends Base {
  readonly value: T;
}

/** Its type is not written, and names one that the entry leaves out. */
export const settings = [{ text: '' } as Inferred];

/** Private parts of a class may name any type. */
export class Opened {
  readonly #inside: Private = { text: '' };
  private readonly alike = this.#inside;

  get text(): string {
    return this.alike.text;
  }
}
