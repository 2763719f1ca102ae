import type { AgentUnderTest } from './agent-under-test.ts';
import { fillHeaders } from './served/request-headers.ts';
import { TargetHost } from './served/target-host.ts';
import type { AgUiTarget, TargetContext } from './targets.ts';

export { checkAgUiTarget, findAgUiProblems } from './served/served-target-problems.ts';

/** A server that speaks AG-UI. */
export function agUiAgent(name: string, target: AgUiTarget, context: TargetContext): AgentUnderTest {
  const { agUi: url } = target;
  const host = new TargetHost({ target, url, context });
  return {
    ...host.describe(name, 'ag-ui'),
    speaks: ['ag_ui'],
    launch: (briefing) =>
      host.launch(briefing, ({ lookup }) => ({
        addresses: { ag_ui: { url, headers: fillHeaders(target.headers, lookup), secretsStay: true } },
      })),
  };
}
