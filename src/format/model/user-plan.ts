import type { Value, ValueMap } from './value.ts';

/** An entry of `attack.x-plan` as the document writes it. It has exactly one of these keys. */
export interface WrittenPlanStep {
  readonly call?: WrittenPlanCall;
  readonly send?: WrittenPlanMessage;
  readonly frontend?: WrittenPlanFrontendCall;
  readonly answer?: Value;
  readonly ask?: Value;
  readonly resume?: string;
  readonly wait?: string;
  readonly session?: string;
  readonly say?: string;
}

/** A call as the document writes it. It has exactly one of `tool`, `resource` and `prompt`. */
export interface WrittenPlanCall {
  readonly actor?: string;
  readonly tool?: string;
  readonly resource?: string;
  readonly prompt?: string;
  readonly arguments?: ValueMap;
}

/** A message to another agent as the document writes it. */
export interface WrittenPlanMessage {
  readonly actor?: string;
  readonly message: string;
  readonly metadata?: ValueMap;
}

/** A call of a tool of the user's application as the document writes it. */
export interface WrittenPlanFrontendCall {
  readonly tool: string;
  readonly arguments?: ValueMap;
}

/** A step of the user's task, with the actor filled in. Texts may hold values of earlier steps. */
export type PlannedStep =
  | {
      readonly kind: 'call';
      readonly actor: string;
      readonly of: 'tool' | 'resource' | 'prompt';
      /** The name of the tool or prompt, or the URI of the resource. */
      readonly name: string;
      readonly arguments: ValueMap;
    }
  | { readonly kind: 'send'; readonly actor: string; readonly message: string; readonly metadata?: ValueMap }
  | { readonly kind: 'frontend'; readonly tool: string; readonly arguments: ValueMap }
  | { readonly kind: 'answer'; readonly answer: PlannedAnswer }
  | { readonly kind: 'ask'; readonly text: string; readonly interrupt?: ValueMap }
  | { readonly kind: 'resume' }
  | { readonly kind: 'wait'; readonly for: 'push' | 'list_changed' }
  | { readonly kind: 'session' }
  | { readonly kind: 'say'; readonly text: string };

/** The answer to a question that a server asks. */
export type PlannedAnswer =
  | { readonly kind: 'values'; readonly values: ValueMap }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'decline' };

/** The result of a step, in which later steps find values. */
export interface StepResult {
  readonly text: string;
  /** The structured content, if there is any. */
  readonly structured?: Value | undefined;
}
