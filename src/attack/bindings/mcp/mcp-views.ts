import type { BindingViews, Projector } from '../../../format/model/binding-views.ts';
import { projectParsedJson } from '../parsed-json-view.ts';
import { readMcpActivity } from './mcp-activity.ts';
import { listMcpPieces } from './mcp-pieces.ts';
import { createMcpWordsReader } from './mcp-words.ts';

export const mcpViews: BindingViews = {
  protocol: 'mcp',
  projector: createMcpProjector,
  pieces: listMcpPieces,
  activity: readMcpActivity,
  createWordsReader: createMcpWordsReader,
};

/** Also offers an object that was sent as a JSON string (some clients send call arguments that way) in its parsed form. */
function createMcpProjector(): Projector {
  return { add: (record) => projectParsedJson(record), finish: () => [] };
}
