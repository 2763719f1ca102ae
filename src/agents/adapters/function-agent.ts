import { isValueMap } from '../../format/model/value.ts';
import type { AgentUnderTest, Briefing } from './agent-under-test.ts';
import { type AgentTurn, createPromptAgent, type TurnAnswer } from './prompt-agent.ts';

/** The argument of an agent function, which is called once for each turn of a conversation. */
export interface AgentRequest extends Briefing, AgentTurn {}

/** An agent in this process. It returns its answer to the user. */
export type AgentFunction = (request: AgentRequest) => AgentReply | Promise<AgentReply>;

/** The answer of an agent function to its user; null and undefined count as no answer. */
export type AgentReply = string | { readonly text: string } | null | undefined;

/** An agent under test that is a function in this process. */
export function functionAgent(name: string, agent: AgentFunction): AgentUnderTest {
  return {
    name,
    kind: 'function',
    speaks: ['ag_ui'],
    isTold: true,
    async launch(briefing) {
      const { peer, missed } = createPromptAgent({
        carries: () => 'input',
        // The function gets all messages; `watchRequest` records whether it reads them.
        remembers: true,
        async say(turn) {
          const taken = new Set<PropertyKey>();
          const reply = await agent(watchRequest({ ...briefing, ...turn }, taken));
          return { ...readReply(reply), carried: deriveCarriedParts(taken, turn) };
        },
      });
      // It may have left work behind that it did not await, so it has ended only when its sessions are closed.
      return { addresses: { ag_ui: peer }, missed, stop: async () => {} };
    },
  };
}

/** A copy of the request that records which fields are read. */
function watchRequest(request: AgentRequest, taken: Set<PropertyKey>): AgentRequest {
  const copy = { ...request, messages: copyPlain(request.messages), input: copyPlain(request.input) };
  return new Proxy(copy, {
    get(target, key) {
      taken.add(key);
      return Reflect.get(target, key);
    },
  });
}

/** Gives the function plain JavaScript numbers, and objects that it can change without effect on others. */
function copyPlain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Derives from the fields that the function read how much of the turn reached it. */
function deriveCarriedParts(
  taken: ReadonlySet<PropertyKey>,
  { isFirst, application }: AgentTurn,
): TurnAnswer['carried'] {
  if (taken.has('input')) return 'input';
  if (taken.has('messages'))
    return application === '' || taken.has('application') || taken.has('prompt') ? 'messages' : 'messages alone';
  if (!taken.has('prompt')) return 'nothing';
  return isFirst || taken.has('thread') ? 'prompt' : 'one turn';
}

function readReply(reply: unknown): TurnAnswer {
  if (typeof reply === 'string') return { text: reply };
  if (reply === undefined || reply === null) return { text: '', failure: 'the function returned no text' };
  if (isValueMap(reply) && typeof reply.text === 'string') return { text: reply.text };
  throw new Error(`the function answered with ${describeReply(reply)} instead of a text`);
}

function describeReply(reply: unknown): string {
  return typeof reply === 'object' ? 'an object that has no `text`' : `a ${typeof reply}`;
}
