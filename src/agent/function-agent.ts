import { isValueMap, type ValueMap } from '../model/value.ts';
import type { AgentUnderTest, Briefing } from './agent.ts';
import type { ChatMessage } from './built-in/model.ts';
import { promptVoice, type Said } from './prompt-voice.ts';

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
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** An agent in this process. It answers with what it says to its user. */
export type AgentFunction = (request: AgentRequest) => AgentReply | Promise<AgentReply>;

export type AgentReply = string | { readonly text: string } | null | undefined;

export function functionAgent(name: string, agent: AgentFunction): AgentUnderTest {
  return {
    name,
    kind: 'function',
    speaks: ['ag_ui'],
    isTold: true,
    async launch(briefing) {
      const { voice, missed } = promptVoice('input', async (turn) =>
        saidBy(await agent({ ...briefing, ...turn })),
      );
      return { doors: { ag_ui: voice }, missed, stop: async () => {} };
    },
  };
}

function saidBy(reply: unknown): Said {
  if (typeof reply === 'string') return { text: reply };
  // An agent may have nothing to say.
  if (reply === undefined || reply === null) return { text: '' };
  if (isValueMap(reply) && typeof reply.text === 'string') return { text: reply.text };
  throw new Error(`the function answered with ${described(reply)} in place of a text`);
}

function described(reply: unknown): string {
  return typeof reply === 'object' ? 'an object that has no `text`' : `a ${typeof reply}`;
}
