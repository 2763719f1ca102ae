import type { BindingViews } from '../../model/views.ts';
import { mcpPieces } from './pieces.ts';
import { mcpProjector } from './projector.ts';
import { mcpSigns } from './signs.ts';

export const mcpViews: BindingViews = {
  protocol: 'mcp',
  projector: mcpProjector,
  pieces: mcpPieces,
  signs: mcpSigns,
};
