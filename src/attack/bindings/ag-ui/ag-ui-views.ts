import type { BindingViews } from '../../../format/model/binding-views.ts';
import { createAgUiActivityReader, readAgUiActivity } from './ag-ui-activity.ts';
import { createAgUiEchoFinder } from './ag-ui-echoes.ts';
import { listAgUiPieces } from './ag-ui-pieces.ts';
import { createAgUiProjector } from './ag-ui-projector.ts';
import { readAgUiUsage } from './ag-ui-usage.ts';

export const agUiViews: BindingViews = {
  protocol: 'ag_ui',
  projector: createAgUiProjector,
  echoes: createAgUiEchoFinder,
  pieces: listAgUiPieces,
  activity: readAgUiActivity,
  createActivityReader: createAgUiActivityReader,
  usage: readAgUiUsage,
};
