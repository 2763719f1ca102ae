// The shape of the command table, and the types that commands derive from it.

export interface Flag {
  /** The name without dashes. A name that begins with `no-` turns a default off. */
  readonly name: string;
  readonly short?: string;
  /** The name of the flag's value; a flag without one is on or off. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Suggestions for shell completion; other values are allowed too. */
  readonly offers?: readonly string[];
  readonly default?: string;
  /**
   * The value that is used if nothing sets one. Unlike `default`, it is not filled in, so the command can tell whether
   * the flag was given.
   */
  readonly usual?: string;
  /** Whether there is also a `--no-` form, which turns off what another source has turned on. */
  readonly negatable?: true;
  readonly required?: true;
  /** Whether it may be given several times. */
  readonly many?: true;
  /** Whether its value is optional. */
  readonly optional?: true;
}

export interface Operand {
  readonly name: string;
  readonly required?: true;
  readonly many?: true;
  readonly choices?: readonly string[];
  /** The kind of shell completion if there are no choices. */
  readonly completes?: 'agents' | 'files' | 'codes, ids or files' | 'ids or files' | 'commands';
}

/** Flags that belong together. A command with topics shows its other flags first, and the topics under `--help --all`. */
export interface Topic {
  readonly title: string;
  readonly flags: readonly Flag[];
}

export interface CommandRow {
  readonly operand?: Operand;
  /** All flags, including those of topics. */
  readonly flags: readonly Flag[];
  readonly topics?: readonly Topic[];
}

/** What help says of a command: an entry of data/command-texts.json. */
export interface CommandTexts {
  readonly group: string;
  readonly summary: string;
  readonly operand?: string;
  /** What each flag does that the texts of shared flags do not describe. */
  readonly flags: { readonly [name: string]: string };
  readonly notes?: readonly string[];
  readonly examples: { readonly [command: string]: string };
  readonly exits: { readonly [code: string]: string };
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

/** The arguments of a command: its operand and every flag, under camelCase names. */
export type ArgumentsOf<R extends CommandRow> = {
  readonly [F in R['flags'][number] as Camel<F['name']>]: ValueOf<F>;
} & (R extends { operand: infer O extends Operand } ? { readonly [N in Lowercase<O['name']>]: OperandOf<O> } : unknown);

export function toCamelCase(name: string): string {
  return name.replace(/^no-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
