import type { BindingViews } from '../../model/views.ts';
import { a2aEchoes } from './echoes.ts';
import { a2aPieces } from './pieces.ts';
import { a2aProjector } from './projector.ts';
import { a2aSigns } from './signs.ts';

export const a2aViews: BindingViews = {
  protocol: 'a2a',
  projector: a2aProjector,
  echoes: a2aEchoes,
  pieces: a2aPieces,
  signs: a2aSigns,
};
