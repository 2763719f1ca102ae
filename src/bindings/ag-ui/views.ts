import type { BindingViews } from '../../model/views.ts';
import { agUiEchoes } from './echoes.ts';
import { agUiPieces } from './pieces.ts';
import { agUiProjector } from './projector.ts';
import { agUiSignReader, agUiSigns } from './signs.ts';
import { agUiUsage } from './usage.ts';

export const agUiViews: BindingViews = {
  protocol: 'ag_ui',
  projector: agUiProjector,
  echoes: agUiEchoes,
  pieces: agUiPieces,
  signs: agUiSigns,
  signReader: agUiSignReader,
  usage: agUiUsage,
};
