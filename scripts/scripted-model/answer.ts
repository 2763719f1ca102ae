import type { ChatMessage, ModelInput, ModelOutput } from '../../src/agents/built-in/model.ts';
import { candid } from '../../src/agents/built-in/policies/candid.ts';
import { guarded } from '../../src/agents/built-in/policies/guarded.ts';
import { gullible } from '../../src/agents/built-in/policies/gullible.ts';
import { namesTool } from '../../src/agents/built-in/policies/tool-names.ts';
import { ownNames } from './own-names.ts';

export const policies = { gullible, guarded, candid };
export type MindName = keyof typeof policies;

export function isMindName(name: unknown): name is MindName {
  return typeof name === 'string' && Object.hasOwn(policies, name);
}

/** Asks a mind for its answer to a framework's request, with tools under the names that the framework uses. */
export async function answer(policy: MindName, request: ModelInput): Promise<ModelOutput> {
  const own = ownNames(request);
  const wire = new Map([...own].map(([name, label]) => [label, name]));
  const heard = request.messages.map(asHeard);
  const { text, toolCalls } = await policies[policy].complete({
    // The system prompt. The application's part comes within the user's prompt here.
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
 * A coding agent's system prompt has pages about how to work. Among so many orders, some fit a tool of the attack by
 * chance. So of a long prompt only the parts that name an offered tool are read, such as the instructions of servers.
 */
function promptRead(system: string, own: ReadonlyMap<string, string>): string {
  if (system.length <= longPrompt) return system;
  const names = [...own].flat();
  const paragraphs = system.split(/\n{2,}/);
  return paragraphs.filter((text) => names.some((name) => namesTool(text, name))).join('\n\n');
}

interface ReadMessage {
  readonly message: ChatMessage;
  readonly application?: string;
}

const toldBefore = /^(?:Our conversation so far|From the application):\n/;

/** Splits a prompt that begins with facts from the application. The user's words come after them. */
function asHeard(message: ChatMessage): ReadMessage {
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
