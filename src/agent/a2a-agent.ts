import { shownUrl } from '../secrets/given.ts';
import { NotThere } from '../transport/http-failure.ts';
import type { AgentUnderTest } from './agent.ts';
import { lackedBy } from './left-out.ts';
import { promptVoice } from './prompt-voice.ts';
import { openA2aConversation } from './served/a2a-conversation.ts';
import { filledHeaders } from './served/headers.ts';
import { Host } from './served/host.ts';
import type { A2aTarget, TargetContext } from './targets.ts';

export { problemOfA2a, problemsOfA2a } from './served/target-problems.ts';

/** A server that speaks A2A. The user's prompts are messages to it, and other agents reach it at the same address. */
export function a2aAgent(name: string, target: A2aTarget, context: TargetContext): AgentUnderTest {
  const { a2a: url, prompt } = target;
  const host = new Host({ target, url, context });
  const { isTold, isOneAtATime } = host;
  return {
    name,
    kind: 'a2a',
    place: shownUrl(url),
    remembers: true,
    speaks: ['ag_ui', 'a2a'],
    lacks: lackedBy('prompt'),
    isTold,
    isOneAtATime,
    prompt,
    launch: (briefing) =>
      host.launch(briefing, async ({ lookup, explained }) => {
        const place = { url, headers: filledHeaders(target.headers, lookup), secretsStay: true };
        const { say, close } = await openA2aConversation(place);
        const { voice, missed } = promptVoice({
          carries: () => 'prompt',
          remembers: true,
          say: (turn) =>
            say(turn).catch(async (thrown: unknown) => {
              const reason = await explained(thrown instanceof Error ? thrown.message : String(thrown));
              throw thrown instanceof NotThere ? new NotThere(reason) : new Error(reason);
            }),
        });
        return { doors: { ag_ui: voice, a2a: place }, missed, close };
      }),
    close: () => host.close(),
  };
}
