import type { Thread } from '../adapters/conversation/threads.ts';
import type { ModelSurroundings } from './agent-run.ts';
import type { Model, PlannedTurn } from './model.ts';
import { acceptElicitationName } from './model-offers.ts';
import type { PlanFollower } from './plan/plan-follower.ts';
import type { ElicitationAnswer, ElicitationQuestion, SamplingAnswer, SamplingQuestion } from './question-handler.ts';
import { appendToolDescriptions } from './system-prompt.ts';

/** The run during which a server asks. */
export interface AskingRun {
  readonly thread: Thread;
  readonly view: ModelSurroundings;
}

/** Who answers: the model, as the plan says if there is one. */
interface Answerer {
  readonly model: Model;
  readonly follower?: PlanFollower | undefined;
}

// An average token is about this many characters long.
const charactersPerToken = 4;

/** Completes the server's messages with a model that also sees the current conversation. */
export async function answerSampling(
  { model, follower }: Answerer,
  { thread, view }: AskingRun,
  server: string,
  { systemPrompt, messages, maxTokens }: SamplingQuestion,
): Promise<SamplingAnswer> {
  const system = appendToolDescriptions(view.system, view.offers.tools);
  const { text } = await model.complete({
    system: systemPrompt === undefined ? system : `${system}\n\n${systemPrompt}`,
    messages: [...(follower?.filterMessages(thread.messages) ?? thread.messages), ...messages],
    tools: [],
    askedBy: server,
    ...planReply(follower, thread),
  });
  const asked = messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
  const request = `The server "${server}" asked for a completion of this:\n${asked}`;
  if (text.trim() === '') {
    note(thread, `${request}\n\nIt was refused.`);
    return { ok: false, reason: 'user rejected sampling request' };
  }
  const length = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens * charactersPerToken;
  const answer = text.slice(0, length);
  note(thread, `${request}\nIt was given:\n${answer}`);
  return { ok: true, text: answer, cut: answer.length < text.length };
}

/** Offers the form to the model as a function; a call of it submits the form. */
export async function answerElicitation(
  { model, follower }: Answerer,
  { thread, view }: AskingRun,
  server: string,
  { message, requestedSchema }: ElicitationQuestion,
): Promise<ElicitationAnswer> {
  note(thread, `The server "${server}" asks:\n${message}`);
  const { toolCalls } = await model.complete({
    system: view.system,
    messages: follower?.filterMessages(thread.messages) ?? thread.messages,
    tools: [
      {
        name: acceptElicitationName,
        description: `Answer the server's question: ${message}`,
        inputSchema: requestedSchema,
      },
    ],
    askedBy: server,
    ...planReply(follower, thread),
  });
  const form = toolCalls.find(({ name }) => name === acceptElicitationName);
  if (form === undefined) return { action: 'decline' };
  note(thread, `It was told: ${JSON.stringify(form.arguments)}`);
  return { action: 'accept', content: form.arguments };
}

function planReply(follower: PlanFollower | undefined, { messages }: Thread): { readonly planned?: PlannedTurn } {
  follower?.look({ messages });
  return follower === undefined ? {} : { planned: { calls: [], reply: follower.takeAnswer() } };
}

function note(thread: Thread, content: string): void {
  thread.add({ role: 'system', content });
}
