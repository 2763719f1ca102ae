import { shownUrl } from '../secrets/given.ts';
import type { AgentUnderTest } from './agent.ts';
import { filledHeaders } from './served/headers.ts';
import { Host } from './served/host.ts';
import type { AgUiTarget, TargetContext } from './targets.ts';

export { problemOfAgUi, problemsOfAgUi } from './served/target-problems.ts';

/** A server that speaks AG-UI. */
export function agUiAgent(name: string, target: AgUiTarget, context: TargetContext): AgentUnderTest {
  const { agUi: url, prompt } = target;
  const host = new Host({ target, url, context });
  const { isTold, isOneAtATime } = host;
  return {
    name,
    kind: 'ag-ui',
    place: shownUrl(url),
    remembers: true,
    speaks: ['ag_ui'],
    isTold,
    isOneAtATime,
    prompt,
    launch: (briefing) =>
      host.launch(briefing, ({ lookup }) => ({
        doors: { ag_ui: { url, headers: filledHeaders(target.headers, lookup), secretsStay: true } },
      })),
    close: () => host.close(),
  };
}
