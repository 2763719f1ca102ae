import { isValueMap, type Value } from '../../model/value.ts';
import type { BindingViews } from '../../model/views.ts';
import { agUiEchoes } from './echoes.ts';
import { agUiProjector } from './projector.ts';

export const agUiViews: BindingViews = {
  protocol: 'ag_ui',
  projector: agUiProjector,
  echoes: agUiEchoes,
  delivers: ({ origin }) => origin === 'agent',
  engages: ({ origin }) => origin === 'agent',
  trouble: ({ method, origin, content }) =>
    method === 'run_error' && origin === 'agent'
      ? `its run ended in an error${messageIn(content)}`
      : undefined,
  undelivered: { server: 'never answered', client: 'never answered' },
};

function messageIn(content: Value): string {
  const message = isValueMap(content) ? content.message : undefined;
  return typeof message === 'string' ? `: ${message}` : '';
}
