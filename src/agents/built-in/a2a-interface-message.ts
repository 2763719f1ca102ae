import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { RunInput, SubmittedMessage } from '../adapters/conversation/read-run-input.ts';

/** The content of an A2A message to the agent. */
export interface A2aInterfaceMessage extends Pick<RunInput, 'messages' | 'application'> {
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

/**
 * Text from a user counts as the user's words. The words of another agent, and everything that comes with the text,
 * count as data that the application passes on.
 */
export function readA2aPrompt({ message, metadata, tenant }: ValueMap): A2aInterfaceMessage | undefined {
  if (!isValueMap(message)) return undefined;
  const { messageId, role, taskId, contextId } = message;
  const parts = Array.isArray(message.parts) ? (message.parts as readonly Value[]).filter(isValueMap) : [];
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const beside = [
    ...parts.flatMap((part) => [part.data, part.file, part.metadata]),
    message.metadata,
    metadata,
    typeof tenant === 'string' && tenant !== '' ? `the caller's tenant: ${tenant}` : undefined,
  ].filter((value) => value !== undefined && value !== null);
  const content = texts.join('\n');
  const submitted: SubmittedMessage = {
    id: typeof messageId === 'string' && messageId !== '' ? messageId : undefined,
    message: role === 'user' ? { role, content } : { role: 'system', content: `${String(role)}: ${content}` },
  };
  return {
    messages: [submitted],
    application: beside.length === 0 ? '' : `From the application:\n${beside.map(toPromptText).join('\n')}`,
    taskId: typeof taskId === 'string' ? taskId : undefined,
    contextId: typeof contextId === 'string' ? contextId : undefined,
  };
}

function toPromptText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
