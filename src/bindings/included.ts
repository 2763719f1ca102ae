import type { BindingViews } from '../model/views.ts';
import { a2aViews } from './a2a/views.ts';
import { agUiViews } from './ag-ui/views.ts';
import { mcpViews } from './mcp/views.ts';

/** What the included bindings tell evaluation about their messages. */
export const includedViews: readonly BindingViews[] = [mcpViews, a2aViews, agUiViews];
