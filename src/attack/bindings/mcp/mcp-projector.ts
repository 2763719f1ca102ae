import type { Projector } from '../../../format/model/binding-views.ts';
import { projectParsedJson } from '../parsed-json-view.ts';

/** Also offers an object that was sent as a JSON string (some clients send call arguments that way) in its parsed form. */
export function createMcpProjector(): Projector {
  return { add: (record) => projectParsedJson(record), finish: () => [] };
}
