import { AgentRefused, AgentUnreachable } from '../../attack/transport/http-failure.ts';
import type { AgentUnderTest } from './agent-under-test.ts';
import { createPromptAgent } from './prompt-agent.ts';
import { openA2aConversation } from './served/a2a-conversation.ts';
import { fillHeaders } from './served/request-headers.ts';
import { TargetHost } from './served/target-host.ts';
import type { A2aTarget, TargetContext } from './targets.ts';
import { listLackingKinds } from './turn-omissions.ts';

export { checkA2aTarget, findA2aProblems } from './served/served-target-problems.ts';

/** A server that speaks A2A. The user's prompts are messages to it, and other agents reach it at the same address. */
export function a2aAgent(name: string, target: A2aTarget, context: TargetContext): AgentUnderTest {
  const { a2a: url } = target;
  const host = new TargetHost({ target, url, context });
  return {
    ...host.describe(name, 'a2a'),
    speaks: ['ag_ui', 'a2a'],
    lacks: listLackingKinds('prompt'),
    launch: (briefing) =>
      host.launch(briefing, async ({ lookup, explained }) => {
        const place = { url, headers: fillHeaders(target.headers, lookup), secretsStay: true };
        const { say, close } = await openA2aConversation(place);
        const { peer, missed } = createPromptAgent({
          carries: () => 'prompt',
          remembers: true,
          say: (turn) =>
            say(turn).catch(async (thrown: unknown) => {
              if (thrown instanceof AgentRefused) throw thrown;
              const reason = await explained(thrown instanceof Error ? thrown.message : String(thrown));
              throw thrown instanceof AgentUnreachable ? new AgentUnreachable(reason) : new Error(reason);
            }),
        });
        return { addresses: { ag_ui: peer, a2a: place }, missed, close };
      }),
  };
}
