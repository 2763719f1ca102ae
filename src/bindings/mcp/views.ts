import type { BindingViews } from '../../model/views.ts';
import { mcpPieces } from './pieces.ts';
import { mcpSigns } from './signs.ts';

export const mcpViews: BindingViews = { protocol: 'mcp', pieces: mcpPieces, signs: mcpSigns };
