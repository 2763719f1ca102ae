import type { Projector } from '../../model/views.ts';
import { unfoldedView } from '../unfolded-view.ts';

/** Also offers an object that was sent as a JSON string (some clients send call arguments that way) in its parsed form. */
export function mcpProjector(): Projector {
  return { add: (record) => unfoldedView(record), finish: () => [] };
}
