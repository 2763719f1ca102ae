import { candid } from '../../src/built-in/minds/candid.ts';
import { guarded } from '../../src/built-in/minds/guarded.ts';
import { gullible } from '../../src/built-in/minds/gullible.ts';
import { namesTool } from '../../src/built-in/minds/tool-names.ts';
import type { ChatMessage, ModelInput, ModelOutput } from '../../src/built-in/model.ts';
import { ownNames } from './own-names.ts';

export const minds = { gullible, guarded, candid };
export type MindName = keyof typeof minds;

export function isMindName(name: unknown): name is MindName {
  return typeof name === 'string' && Object.hasOwn(minds, name);
}

/** What a mind says to a request that a framework has made, in the framework's names. */
export async function answer(mind: MindName, request: ModelInput): Promise<ModelOutput> {
  const own = ownNames(request);
  const wire = new Map([...own].map(([name, label]) => [label, name]));
  const heard = request.messages.map(asHeard);
  const { text, toolCalls } = await minds[mind].complete({
    // What an agent is told before anything is said; here the application's part comes with the prompt.
    system: [...heard.map(({ application }) => application), promptRead(request.system, own)]
      .filter(Boolean)
      .join('\n\n'),
    messages: heard.map(({ message }) => renamed(message, own)),
    tools: request.tools.map((tool) => ({ ...tool, name: own.get(tool.name) ?? tool.name })),
  });
  return { text, toolCalls: toolCalls.map((call) => ({ ...call, name: wire.get(call.name) ?? call.name })) };
}

const longPrompt = 2000;

/**
 * A coding agent has pages about how to work, and in so many orders some fit a tool of any attack by chance. Of such
 * a prompt that is read which speaks of a tool on offer, as the instructions of servers in it do.
 */
function promptRead(system: string, own: ReadonlyMap<string, string>): string {
  if (system.length <= longPrompt) return system;
  const names = [...own].flat();
  const paragraphs = system.split(/\n{2,}/);
  return paragraphs.filter((text) => names.some((name) => namesTool(text, name))).join('\n\n');
}

interface Heard {
  readonly message: ChatMessage;
  readonly application?: string;
}

const toldBefore = /^(?:Our conversation so far|From the application):\n/;

/** A prompt may begin with what else there is to know. Any reader sees that the user's words are behind it. */
function asHeard(message: ChatMessage): Heard {
  const { role, content } = message;
  const end = role === 'user' && toldBefore.test(content) ? content.lastIndexOf('\n\n') : -1;
  if (role !== 'user' || end === -1) return { message };
  return { message: { role, content: content.slice(end + 2) }, application: content.slice(0, end) };
}

function renamed(message: ChatMessage, own: ReadonlyMap<string, string>): ChatMessage {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const toolCalls = message.toolCalls.map((call) => ({ ...call, name: own.get(call.name) ?? call.name }));
  return { ...message, toolCalls };
}
