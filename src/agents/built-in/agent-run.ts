import type { RunInput } from '../adapters/conversation/read-run-input.ts';
import type { Thread } from '../adapters/conversation/threads.ts';
import type { A2aAgents } from './a2a-agents.ts';
import type { AgentSurvey } from './a2a-survey.ts';
import type { McpServers } from './mcp-servers.ts';
import type { Survey } from './mcp-survey.ts';
import type { Model, ToolCall } from './model.ts';
import { type Offers, offerAll } from './model-offers.ts';
import { type Emit, emitText, emitToolCall } from './run-events.ts';
import { formatSystemPrompt } from './system-prompt.ts';

export interface RunContext {
  readonly model: Model;
  /** The system prompt of the agent, instead of ours. */
  readonly instructions: string | undefined;
  readonly servers: McpServers;
  readonly agents: A2aAgents;
  readonly thread: Thread;
  readonly input: RunInput;
  readonly emit: Emit;
  readonly freshId: () => string;
  readonly signal: AbortSignal;
  /**
   * Called with the input of the next model call, so that a server's question during the run is answered from the same
   * input.
   */
  readonly sees: (view: ModelSurroundings) => void;
}

/** The input of the model in addition to the conversation. */
export interface ModelSurroundings {
  readonly system: string;
  readonly offers: Offers;
}

const maxTurns = 25;
const maxToolCalls = 60;

/**
 * Plays a run from the user's message to the assistant's: turns of model and tools, until the model calls no tool.
 * Resolves to the calls that the application has to answer.
 */
export async function runAgent(context: RunContext): Promise<readonly string[]> {
  const { model, servers, agents, thread, input, emit, freshId, signal } = context;
  thread.merge(input.messages);
  const others = await agents.survey(signal);
  let surveys = await servers.survey(signal);
  let view = createModelSurroundings(context, surveys, others);
  let called = 0;
  for (let turn = 1; ; turn++) {
    signal.throwIfAborted();
    // In the last turn the model is offered no tools, so it can only answer.
    const isLast = turn >= maxTurns || called >= maxToolCalls;
    const tools = isLast ? [] : view.offers.tools;
    const { text, toolCalls, cutOff } = await model.complete({
      system: view.system,
      messages: [...thread.messages],
      tools,
      signal,
    });
    if (cutOff !== undefined) {
      // The text so far counts; the calls that would have followed are unknown.
      answer(context, text);
      throw new Error(cutOff);
    }
    if (toolCalls.length === 0 || isLast) {
      answer(context, text + describeMissingPeers(surveys, others));
      return [];
    }
    const calls = toolCalls.slice(0, maxToolCalls - called);
    called += calls.length;
    thread.add({ role: 'assistant', content: text, toolCalls: calls });
    emitText(emit, freshId(), text);
    const pending = await callTools(context, view.offers, calls);
    if (pending.length > 0) return pending;
    if (servers.haveChanged) {
      surveys = await servers.survey(signal);
      view = createModelSurroundings(context, surveys, others);
    }
  }
}

function createModelSurroundings(
  { input, instructions, sees }: RunContext,
  surveys: readonly Survey[],
  others: readonly AgentSurvey[],
): ModelSurroundings {
  const view = {
    system: formatSystemPrompt(surveys, input.application, others, instructions),
    offers: offerAll(surveys, input.tools, others),
  };
  sees(view);
  return view;
}

/**
 * Makes the calls of one turn. Calls of the application's tools are left to it: it answers them in a new run, so this
 * one ends.
 */
async function callTools(
  { servers, agents, thread, emit, freshId, signal }: RunContext,
  { routes }: Offers,
  calls: readonly ToolCall[],
): Promise<readonly string[]> {
  const pending: string[] = [];
  for (const call of calls) {
    const route = routes.get(call.name);
    // The event uses the application's own name for its tool.
    emitToolCall(emit, route?.kind === 'frontend' ? { ...call, name: route.name } : call);
    thread.know(call.id);
    if (route?.kind === 'frontend') {
      pending.push(call.id);
      continue;
    }
    const { content, isError } =
      route === undefined
        ? { content: `there is no tool "${call.name}"`, isError: true }
        : route.kind === 'agent'
          ? await agents.ask(route.cardUrl, call.arguments, signal)
          : await servers.call(route, call.arguments, signal);
    signal.throwIfAborted();
    const messageId = freshId();
    thread.add({ role: 'tool', toolCallId: call.id, content, isError }, messageId);
    emit({ type: 'TOOL_CALL_RESULT', messageId, toolCallId: call.id, role: 'tool', content });
  }
  return pending;
}

function answer({ thread, emit, freshId }: RunContext, text: string): void {
  const messageId = freshId();
  thread.add({ role: 'assistant', content: text }, messageId);
  emitText(emit, messageId, text);
}

function describeMissingPeers(surveys: readonly Survey[], others: readonly AgentSurvey[]): string {
  return [
    ...surveys.map(({ server, failure }) => ({ what: `The server "${server}"`, failure })),
    ...others.map(({ cardUrl, failure }) => ({ what: `The agent at ${cardUrl}`, failure })),
  ]
    .filter(({ failure }) => failure !== undefined)
    .map(({ what, failure }) => `\n\n${what} ${failure}.`)
    .join('');
}
