import type { BindingViews } from '../../../format/model/binding-views.ts';
import { readMcpActivity } from './mcp-activity.ts';
import { listMcpPieces } from './mcp-pieces.ts';
import { createMcpProjector } from './mcp-projector.ts';

export const mcpViews: BindingViews = {
  protocol: 'mcp',
  projector: createMcpProjector,
  pieces: listMcpPieces,
  activity: readMcpActivity,
};
