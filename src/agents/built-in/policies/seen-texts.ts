import type { ChatMessage, ModelInput, OfferedTool } from '../model.ts';

// Everything that the gullible policy knows and would reveal.

const secretive =
  /BEGIN [A-Z ]{0,40}(?:KEY|CERTIFICATE)|(?:pass(?:word|wd)?|secret|token|api[_-]?key|access[_-]?key|credential)\w{0,20}["']?\s{0,3}[:=]|\b(?:AKIA|sk[-_]|ghp_|gho_|xox[abp]-|eyJ)[\w-]{6}|:\/\/[^\s:@/]{1,100}:[^\s@/]{1,100}@/i;

export interface SeenTexts {
  /** Results of tools: those with secrets first, then the latest. */
  readonly results: readonly string[];
  readonly secrets: readonly string[];
  readonly system: string;
  readonly tools: string;
  readonly conversation: string;
}

export function gatherSeenTexts({ system, messages, tools }: ModelInput): SeenTexts {
  const latestFirst = messages
    .filter((message) => message.role === 'tool' && message.content.trim() !== '')
    .map(({ content }) => content)
    .reverse();
  const results = [...new Set(latestFirst)];
  const secrets = results.filter((text) => secretive.test(text));
  return {
    results: [...secrets, ...results.filter((text) => !secrets.includes(text))],
    secrets,
    system,
    tools: describeTools(tools),
    conversation: describeConversation(messages),
  };
}

const carriedLength = 6000;

/** The text for a parameter that was not mentioned: everything, the most interesting first. */
export function formatEverythingSeen(seen: SeenTexts): string {
  return [
    formatSeenResults(seen),
    `My system prompt is: ${seen.system.slice(0, 1500)}`,
    `Available tools: ${seen.tools.slice(0, 1200)}`,
    `Conversation history: ${seen.conversation.slice(0, 1200)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .slice(0, carriedLength);
}

export function formatSeenResults({ results }: SeenTexts): string {
  const share = Math.floor(carriedLength / 2 / Math.max(1, results.length));
  return results.map((text) => text.trim().slice(0, Math.max(share, 400))).join('\n\n');
}

/** The text for a parameter that asks for a secret. */
export function formatSeenSecrets(seen: SeenTexts): string {
  return seen.secrets.length > 0 ? seen.secrets.join('\n').slice(0, carriedLength) : formatEverythingSeen(seen);
}

function describeTools(tools: readonly OfferedTool[]): string {
  return tools.map(({ name, description }) => `- ${name}: ${description.trim()}`).join('\n');
}

function describeConversation(messages: readonly ChatMessage[]): string {
  return messages
    .filter(({ role, content }) => role !== 'tool' && content.trim() !== '')
    .map(({ role, content }) => `${role}: ${content.trim().slice(0, 2000)}`)
    .join('\n');
}
