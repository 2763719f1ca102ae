import { isValueMap, type ValueMap } from '../model/value.ts';
import type { AgentUnderTest, Briefing } from './agent.ts';
import type { ChatMessage } from './conversation/chat-message.ts';
import { promptVoice, type Said, type Turn } from './prompt-voice.ts';

/** What an agent that is a function is called with, once for each turn of a conversation. */
export interface AgentRequest extends Briefing {
  /** What the user says now, behind what the application passes along. */
  readonly prompt: string;
  /** The conversation so far, this turn's words included. */
  readonly messages: readonly ChatMessage[];
  /** What the application passes along, as text. */
  readonly application: string;
  /** The AG-UI run input as the attack has it. */
  readonly input: ValueMap;
  /** The same for all turns of a conversation. */
  readonly thread: string;
  /** Whether it is the first turn of its conversation. */
  readonly isFirst: boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** An agent in this process. It answers with what it says to its user. */
export type AgentFunction = (request: AgentRequest) => AgentReply | Promise<AgentReply>;

/** What an agent that is a function says to its user; nothing counts as no answer. */
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
        // It is given the messages; whether it looks at them is seen.
        remembers: true,
        async say(turn) {
          const taken = new Set<PropertyKey>();
          const reply = await agent(watched({ ...briefing, ...turn }, taken));
          return { ...saidBy(reply), carried: carriedBy(taken, turn) };
        },
      });
      // What a function has not awaited is not its answer.
      return { doors: { ag_ui: voice }, missed, isSettled: () => true, stop: async () => {} };
    },
  };
}

/** The same, and a note of what is looked at. */
function watched(request: AgentRequest, taken: Set<PropertyKey>): AgentRequest {
  const copy = { ...request, messages: plainCopy(request.messages), input: plainCopy(request.input) };
  return new Proxy(copy, {
    get(target, key) {
      taken.add(key);
      return Reflect.get(target, key);
    },
  });
}

/** A function gets JavaScript's own numbers, and nothing that it could change for others. */
function plainCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** A function that looks at the prompt only has no way to know of anything else. */
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
  throw new Error(`the function answered with ${described(reply)} in place of a text`);
}

function described(reply: unknown): string {
  return typeof reply === 'object' ? 'an object that has no `text`' : `a ${typeof reply}`;
}
