import type { Value } from './value.ts';

/** An entry of `attack.x-payload` as the document writes it. */
export interface WrittenMark {
  readonly actor?: string;
  readonly phase?: string;
  readonly at: string;
  readonly benign?: Value;
  readonly needed?: boolean;
  readonly why?: string;
}

/**
 * A value of the document that is part of the attack, with all defaults filled in. Names are those of the normalized
 * document, so a mark means the same in each of the three forms of a document.
 */
export interface Mark {
  readonly actor: string;
  /** The phase that writes the value, not a phase that inherits it. */
  readonly phase: string;
  /** JSON Pointer from the phase, with keys as documents spell them: `/state/tools/0/description`, `/on_enter/0/send`. */
  readonly at: string;
  /** The replacement in the benign twin. If it is absent, the value is removed; null is a value. */
  readonly benign?: Value;
  /** Whether the agent must have received the value before it can have resisted the attack. */
  readonly needed: boolean;
  /** Why the attack succeeds without this mark too. */
  readonly why?: string;
}
