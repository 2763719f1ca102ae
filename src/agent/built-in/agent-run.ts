import type { McpServers } from './mcp-servers.ts';
import type { Model, ToolCall } from './model.ts';
import { type Offers, offerAll } from './offers.ts';
import { type Emit, emitText, emitToolCall } from './run-events.ts';
import type { RunInput } from './run-input.ts';
import type { Survey } from './survey.ts';
import { systemPrompt } from './system-prompt.ts';
import type { Thread } from './threads.ts';

export interface RunContext {
  readonly model: Model;
  readonly servers: McpServers;
  readonly thread: Thread;
  readonly input: RunInput;
  readonly emit: Emit;
  readonly freshId: () => string;
  readonly signal: AbortSignal;
  /** Told what the model is about to see, so that a question in the middle of it is answered from the same. */
  readonly sees: (view: View) => void;
}

/** What the model sees besides the conversation. */
export interface View {
  readonly system: string;
  readonly offers: Offers;
}

const maxTurns = 25;
const maxToolCalls = 60;

/** From the user's message to the assistant's: turns of model and tools, until the model has nothing to call. */
export async function runAgent(context: RunContext): Promise<void> {
  const { model, servers, thread, input, emit, freshId, signal } = context;
  thread.merge(input.messages);
  let surveys = await servers.survey(signal);
  let view = look(context, surveys);
  let called = 0;
  for (let turn = 1; ; turn++) {
    signal.throwIfAborted();
    // Without tools nothing is left but to answer.
    const isLast = turn >= maxTurns || called >= maxToolCalls;
    const tools = isLast ? [] : view.offers.tools;
    const { text, toolCalls } = await model.complete({
      system: view.system,
      messages: [...thread.messages],
      tools,
      signal,
    });
    if (toolCalls.length === 0 || isLast) {
      answer(context, text + missing(surveys));
      return;
    }
    const calls = toolCalls.slice(0, maxToolCalls - called);
    called += calls.length;
    thread.add({ role: 'assistant', content: text, toolCalls: calls });
    emitText(emit, freshId(), text);
    if ((await callTools(context, view.offers, calls)) === 'frontend') return;
    if (servers.haveChanged) {
      surveys = await servers.survey(signal);
      view = look(context, surveys);
    }
  }
}

function look({ input, sees }: RunContext, surveys: readonly Survey[]): View {
  const view = {
    system: systemPrompt(surveys, input.application),
    offers: offerAll(surveys, input.tools),
  };
  sees(view);
  return view;
}

/** The application answers its own tools in a run of its own, so with a call of one of those this run is over. */
async function callTools(
  { servers, thread, emit, freshId, signal }: RunContext,
  { routes }: Offers,
  calls: readonly ToolCall[],
): Promise<'frontend' | 'done'> {
  let isOver = false;
  for (const call of calls) {
    const route = routes.get(call.name);
    emitToolCall(emit, call);
    thread.know(call.id);
    if (route?.kind === 'frontend') {
      isOver = true;
      continue;
    }
    const { content, isError } =
      route === undefined
        ? { content: `there is no tool "${call.name}"`, isError: true }
        : await servers.call(route, call.arguments, signal);
    signal.throwIfAborted();
    const messageId = freshId();
    thread.add({ role: 'tool', toolCallId: call.id, content, isError }, messageId);
    emit({ type: 'TOOL_CALL_RESULT', messageId, toolCallId: call.id, role: 'tool', content });
  }
  return isOver ? 'frontend' : 'done';
}

function answer({ thread, emit, freshId }: RunContext, text: string): void {
  const messageId = freshId();
  thread.add({ role: 'assistant', content: text }, messageId);
  emitText(emit, messageId, text);
}

function missing(surveys: readonly Survey[]): string {
  return surveys
    .filter(({ failure }) => failure !== undefined)
    .map(({ server, failure }) => `\n\nThe server "${server}" ${failure}.`)
    .join('');
}
