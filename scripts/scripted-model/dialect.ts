import type { ModelInput, ModelOutput } from '../../src/agents/built-in/model.ts';
import type { ValueMap } from '../../src/format/model/value.ts';

/** The shape of a service's requests and answers. */
export interface Dialect {
  /** Whether requests to this path use this dialect. */
  speaksAt(path: string): boolean;
  isStreamed(path: string, body: ValueMap): boolean;
  read(body: ValueMap): ModelInput;
  whole(output: ModelOutput, about: About): ValueMap;
  /** The data of each event of a streamed answer. */
  streamed(output: ModelOutput, about: About): readonly string[];
}

export interface About {
  /** Unique: frameworks tell completions apart by it. */
  readonly id: string;
  readonly model: string;
}
