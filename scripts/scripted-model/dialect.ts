import type { ModelInput, ModelOutput } from '../../src/built-in/model.ts';
import type { ValueMap } from '../../src/model/value.ts';

/** How a service is asked, and how it answers. */
export interface Dialect {
  /** Whether a request that is sent to this path is one of its own. */
  speaksAt(path: string): boolean;
  isStreamed(path: string, body: ValueMap): boolean;
  read(body: ValueMap): ModelInput;
  whole(output: ModelOutput, about: About): ValueMap;
  /** The data of each event. */
  streamed(output: ModelOutput, about: About): readonly string[];
}

export interface About {
  /** Like no other: frameworks tell completions apart by it. */
  readonly id: string;
  readonly model: string;
}
