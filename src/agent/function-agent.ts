import { isValueMap, type ValueMap } from '../model/value.ts';
import type { AgentUnderTest, Briefing } from './agent.ts';
import type { ChatMessage } from './conversation/chat-message.ts';
import { promptVoice, type Said, type Turn } from './prompt-voice.ts';

/** The argument of an agent function, which is called once for each turn of a conversation. */
export interface AgentRequest extends Briefing {
  /** The user's prompt of this turn, after the text that the application passes on. */
  readonly prompt: string;
  /** The conversation so far, including this turn. */
  readonly messages: readonly ChatMessage[];
  /** The text that the application passes on. */
  readonly application: string;
  /** The AG-UI run input as the attack sends it. */
  readonly input: ValueMap;
  /** The id of the conversation; the same for all its turns. */
  readonly thread: string;
  /** Whether this is the first turn of its conversation. */
  readonly isFirst: boolean;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

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
      const { voice, missed } = promptVoice({
        carries: () => 'input',
        // The function is given all messages; `watched` records whether it reads them.
        remembers: true,
        async say(turn) {
          const taken = new Set<PropertyKey>();
          const reply = await agent(watched({ ...briefing, ...turn }, taken));
          return { ...saidBy(reply), carried: carriedBy(taken, turn) };
        },
      });
      // Settled at once: work that the function did not await is not part of its answer.
      return { doors: { ag_ui: voice }, missed, isSettled: () => true, stop: async () => {} };
    },
  };
}

/** A copy of the request that records which fields are read. */
function watched(request: AgentRequest, taken: Set<PropertyKey>): AgentRequest {
  const copy = { ...request, messages: plainCopy(request.messages), input: plainCopy(request.input) };
  return new Proxy(copy, {
    get(target, key) {
      taken.add(key);
      return Reflect.get(target, key);
    },
  });
}

/** Gives the function plain JavaScript numbers, and objects that it can change without effect on others. */
function plainCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Derives from the fields that the function read how much of the turn reached it. */
function carriedBy(taken: ReadonlySet<PropertyKey>, { isFirst, application }: Turn): Said['carried'] {
  if (taken.has('input')) return 'input';
  if (taken.has('messages'))
    return application === '' || taken.has('application') || taken.has('prompt')
      ? 'messages'
      : 'messages alone';
  if (!taken.has('prompt')) return 'nothing';
  return isFirst || taken.has('thread') ? 'prompt' : 'one turn';
}

function saidBy(reply: unknown): Said {
  if (typeof reply === 'string') return { text: reply };
  if (reply === undefined || reply === null) return { text: '', failure: 'the function returned no text' };
  if (isValueMap(reply) && typeof reply.text === 'string') return { text: reply.text };
  throw new Error(`the function answered with ${described(reply)} instead of a text`);
}

function described(reply: unknown): string {
  return typeof reply === 'object' ? 'an object that has no `text`' : `a ${typeof reply}`;
}
