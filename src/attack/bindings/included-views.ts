import type { BindingViews } from '../../format/model/binding-views.ts';
import { a2aViews } from './a2a/a2a-views.ts';
import { agUiViews } from './ag-ui/ag-ui-views.ts';
import { mcpViews } from './mcp/mcp-views.ts';

/** How evaluation views the messages of the included bindings. */
export const includedViews: readonly BindingViews[] = [mcpViews, a2aViews, agUiViews];
