import type { Value } from './value.ts';

/** An entry of `attack.x-payload` as it is written. */
export interface WrittenMark {
  readonly actor?: string;
  readonly phase?: string;
  readonly at: string;
  readonly benign?: Value;
  readonly needed?: boolean;
}

/**
 * A place of a document that is the attack, with everything spelt out. Names are those of the normalized document,
 * so a mark means the same in each of a document's three forms.
 */
export interface Mark {
  readonly actor: string;
  /** The phase that writes the value; phases that inherit its state are not named. */
  readonly phase: string;
  /** JSON Pointer from the phase, keys as documents spell them: `/state/tools/0/description`, `/on_enter/0/send`. */
  readonly at: string;
  /** What stands there in the benign twin; without it nothing does. Null is a value. */
  readonly benign?: Value;
  /** Whether the agent must have got it before it can have resisted the attack. */
  readonly needed: boolean;
}
