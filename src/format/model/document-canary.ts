/** A value that must not leave, as an entry of `attack.x-canaries` writes it. */
export interface Canary {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
  /** For kinds with few values: texts, one of which stands near the value when it leaks. */
  readonly with?: readonly string[];
}
