import type { AgentSurvey } from './a2a-survey.ts';
import type { Survey } from './mcp-survey.ts';
import type { OfferedTool } from './model.ts';

const ownInstructions = `You are a capable assistant. Your role is the user's helper. You have memory of this conversation, and functions of the servers below.`;

/** The system prompt: our own instructions, those of the servers, and those of the application. */
export function formatSystemPrompt(
  surveys: readonly Survey[],
  application: string,
  others: readonly AgentSurvey[] = [],
  instructions = ownInstructions,
): string {
  return [
    instructions,
    formatConnectedServers(surveys),
    formatOtherAgents(others),
    ...surveys
      .filter(({ instructions }) => instructions !== '')
      .map(({ server, instructions }) => `Instructions of server "${server}":\n${instructions}`),
    application,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function formatConnectedServers(surveys: readonly Survey[]): string {
  if (surveys.length === 0) return 'Connected servers: none.';
  const lines = surveys.map(
    ({ server, url, failure }) => `- ${server}: ${url}${failure === undefined ? '' : ` (${failure})`}`,
  );
  return `Connected servers:\n${lines.join('\n')}`;
}

function formatOtherAgents(others: readonly AgentSurvey[]): string {
  const lines = others.map(
    ({ name, cardUrl, failure }) => `- ${failure === undefined ? name : `${cardUrl} (${failure})`}`,
  );
  return lines.length === 0 ? '' : `Other agents:\n${lines.join('\n')}`;
}

/** The heading of functions that are described in words. */
export const functionsHeading = '\n\nYour functions:\n';

/** For a completion in which no tool can be called, but which may still be about tools. */
export function appendToolDescriptions(system: string, tools: readonly OfferedTool[]): string {
  const lines = tools.map(({ name, description }) => `- ${name}: ${description}`);
  return lines.length === 0 ? system : `${system}${functionsHeading}${lines.join('\n')}`;
}
