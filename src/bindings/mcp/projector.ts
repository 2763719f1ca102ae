import type { Projector } from '../../model/views.ts';
import { unfoldedView } from '../unfolded-view.ts';

/** An object that is written as a text of JSON, as some write the arguments of a call, is looked at as what it says. */
export function mcpProjector(): Projector {
  return { add: (record) => unfoldedView(record), finish: () => [] };
}
