import type { BindingViews } from '../../../format/model/binding-views.ts';
import { readA2aActivity } from './a2a-activity.ts';
import { createA2aEchoFinder } from './a2a-echoes.ts';
import { listA2aPieces } from './a2a-pieces.ts';
import { createA2aProjector } from './a2a-projector.ts';

export const a2aViews: BindingViews = {
  protocol: 'a2a',
  projector: createA2aProjector,
  echoes: createA2aEchoFinder,
  pieces: listA2aPieces,
  activity: readA2aActivity,
};
