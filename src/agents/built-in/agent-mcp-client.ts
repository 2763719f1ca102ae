import { Client, ProtocolError, type ResponseCacheStore } from '@modelcontextprotocol/client';
import type { Value } from '../../format/model/value.ts';
import { formatContent } from './content-text.ts';
import type { QuestionHandler } from './question-handler.ts';

const info = { name: 'oatf-built-in-agent', version: '1.0.0' };
const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };
// The error code in the specification's example of a user who rejects a sampling request.
const userRejected = -1;

export interface OfficialClientOptions {
  readonly server: string;
  readonly questions: QuestionHandler;
  changed(): void;
  /** What the server allows to be kept. Default: each client keeps its own. */
  readonly cache?: ResponseCacheStore | undefined;
}

/**
 * An official client that passes on the server's requests and its notices of changed lists. It speaks 2026-07-28 to a
 * server that supports it, and the handshake of earlier versions to any other.
 */
export function createOfficialClient({ server, questions, changed, cache }: OfficialClientOptions): Client {
  const client = new Client(info, {
    capabilities,
    versionNegotiation: { mode: 'auto' },
    ...(cache !== undefined && { responseCacheStore: cache }),
  });
  client.setRequestHandler('roots/list', () => ({ roots: [] }));
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    const answer = await questions.sample(server, {
      systemPrompt: params.systemPrompt,
      maxTokens: params.maxTokens,
      messages: params.messages.map(({ role, content }) => ({
        role,
        content: formatContent(content as unknown as Value),
      })),
    });
    // Since 2026-07-28 there is no error for a refusal: an answer is needed, or the whole call would fail.
    if (!answer.ok && client.getProtocolEra() === 'modern')
      return { ...createSamplingAnswer(answer.reason), stopReason: 'endTurn' as const };
    if (!answer.ok) throw new ProtocolError(userRejected, answer.reason);
    return {
      ...createSamplingAnswer(answer.text),
      stopReason: answer.cut ? ('maxTokens' as const) : ('endTurn' as const),
    };
  });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const schema = 'requestedSchema' in params ? params.requestedSchema : {};
    const answer = await questions.elicit(server, {
      message: 'url' in params ? `${params.message}\n${params.url}` : params.message,
      requestedSchema: schema as unknown as Value,
    });
    // A URL is only accepted or declined; there is no form to fill in.
    if (answer.action === 'accept' && 'url' in params) return { action: 'accept' as const };
    return answer as { action: 'accept'; content: Record<string, string> } | { action: 'decline' };
  });
  const { hear } = questions;
  if (hear !== undefined) {
    client.setNotificationHandler('notifications/message', ({ params: { data } }) =>
      hear(server, typeof data === 'string' ? data : JSON.stringify(data)),
    );
    // The client's own callback for progress also tells of its own rounds of questions, which are no server's words.
    client.setNotificationHandler('notifications/progress', ({ params: { message } }) => {
      if (message !== undefined) hear(server, message);
    });
  }
  for (const list of ['tools', 'resources', 'prompts'] as const)
    client.setNotificationHandler(`notifications/${list}/list_changed`, changed);
  return client;
}

function createSamplingAnswer(text: string) {
  const content = { type: 'text' as const, text };
  return { role: 'assistant' as const, model: info.name, content };
}
