// The shape of the command table, and the types that commands get out of it.

export interface Flag {
  /** Without dashes. One that begins with `no-` turns off what is on. */
  readonly name: string;
  readonly short?: string;
  /** The name of the flag's value; a flag without is on or off. */
  readonly value?: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What a shell offers, where other values can be given as well. */
  readonly offers?: readonly string[];
  readonly default?: string;
  /** What is taken where neither the flag nor anything else says otherwise; the value itself tells whether it was said. */
  readonly usual?: string;
  /** There is a `--no-` form as well, for what something else may have turned on. */
  readonly negatable?: true;
  readonly required?: true;
  /** May be given more than once. */
  readonly many?: true;
  /** The value may be left out. */
  readonly optional?: true;
}

export interface Operand {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly many?: true;
  readonly choices?: readonly string[];
  /** What a shell offers for it, where there are no choices. */
  readonly completes?: 'agents' | 'files' | 'codes, ids or files' | 'ids or files' | 'commands';
}

/** Flags that belong together. A command that has topics shows them under `--help --all`, and its other flags first. */
export interface Topic {
  readonly title: string;
  readonly flags: readonly Flag[];
}

export interface CommandRow {
  readonly group: string;
  readonly summary: string;
  readonly operand?: Operand;
  /** All of them, those of topics included. */
  readonly flags: readonly Flag[];
  readonly topics?: readonly Topic[];
  readonly notes?: readonly string[];
  readonly examples: readonly (readonly [command: string, does: string])[];
  readonly exits: readonly (readonly [code: number, meaning: string])[];
}

type Camel<S extends string> = S extends `no-${infer Rest}`
  ? Camel<Rest>
  : S extends `${infer Head}-${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : S;

type Chosen<T> = T extends { choices: readonly (infer C)[] } ? C : string;
type Optional<T> = T extends { default: string } | { required: true } ? never : undefined;
type ValueOf<F> = F extends { value: string; many: true }
  ? readonly Chosen<F>[]
  : F extends { value: string; optional: true }
    ? string | true | undefined
    : F extends { value: string; negatable: true }
      ? string | false | undefined
      : F extends { value: string }
        ? Chosen<F> | Optional<F>
        : F extends { negatable: true }
          ? boolean | undefined
          : boolean;
type OperandOf<O> = O extends { many: true } ? readonly string[] : Chosen<O> | Optional<O>;

/** What a row promises its command: the operand and every flag under camelCase names. */
export type ArgumentsOf<R extends CommandRow> = {
  readonly [F in R['flags'][number] as Camel<F['name']>]: ValueOf<F>;
} & (R extends { operand: infer O extends Operand }
  ? { readonly [N in Lowercase<O['name']>]: OperandOf<O> }
  : unknown);

export function camelCase(name: string): string {
  return name.replace(/^no-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
