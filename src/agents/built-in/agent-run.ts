import type { ValueMap } from '../../format/model/value.ts';
import type { RunInput } from '../adapters/conversation/read-run-input.ts';
import type { Thread } from '../adapters/conversation/threads.ts';
import type { A2aAgents } from './a2a-agents.ts';
import type { AgentSurvey } from './a2a-survey.ts';
import type { CallOutcome } from './mcp-server.ts';
import type { McpServers } from './mcp-servers.ts';
import type { Survey } from './mcp-survey.ts';
import type { ChatMessage, Model, ToolCall } from './model.ts';
import { type Offers, offerAll } from './model-offers.ts';
import { makeOwnStep } from './plan/make-own-step.ts';
import type { PlanFollower } from './plan/plan-follower.ts';
import { type Emit, emitText, emitToolCall } from './run-events.ts';
import { formatSystemPrompt } from './system-prompt.ts';

export interface RunContext {
  readonly model: Model;
  /** Follows the document's plan of the user's task, if there is one. */
  readonly follower?: PlanFollower | undefined;
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

const mostUnplanned = { turns: 25, calls: 60 } as const;
/** The same for a run with a plan, which makes one call per turn. */
const mostPlanned = { turns: 100, calls: 150 } as const;

/** What a run waits for at its end. */
export interface RunWaits {
  /** The calls that the application has to answer. */
  readonly pending: readonly string[];
  /** The question that the user has to answer. */
  readonly interrupt?: ValueMap | undefined;
}

/** Plays a run from the user's message to the assistant's: turns of model and tools, until the model calls no tool. */
export async function runAgent(context: RunContext): Promise<RunWaits> {
  const { model, follower, servers, agents, thread, input, emit, freshId, signal } = context;
  thread.merge(input.messages);
  follower?.begin(input, thread.messages);
  let others = await agents.survey(signal);
  let surveys = await servers.survey(signal);
  let view = createModelSurroundings(context, surveys, others);
  const most = follower === undefined ? mostUnplanned : mostPlanned;
  let called = 0;
  for (let turn = 1; ; turn++) {
    signal.throwIfAborted();
    // In the last turn the model is offered no tools, so it can only answer.
    const isLast = turn >= most.turns || called >= most.calls;
    const tools = isLast ? [] : view.offers.tools;
    follower?.look({ surveys, others, application: input.application, messages: thread.messages });
    const planned = follower?.planTurn(view.offers);
    const { text, toolCalls, cutOff } = await model.complete({
      system: view.system,
      messages: follower?.filterMessages(thread.messages) ?? [...thread.messages],
      tools,
      signal,
      ...(planned !== undefined && { planned: isLast ? { ...planned, calls: [] } : planned }),
    });
    if (cutOff !== undefined) {
      // The text so far counts; the calls that would have followed are unknown.
      answer(context, text);
      throw new Error(cutOff);
    }
    if (toolCalls.length === 0 || isLast) {
      const interrupt = answer(context, text + describeMissingPeers(surveys, others));
      return { pending: [], interrupt };
    }
    const own = follower?.takeOwnStep(toolCalls);
    if (own !== undefined) {
      follower?.finishOwnStep(own, await makeOwnStep(own, context));
      if (own.kind === 'session') others = await agents.survey(signal);
      surveys = await servers.survey(signal);
      view = createModelSurroundings(context, surveys, others);
      continue;
    }
    const calls = toolCalls.slice(0, most.calls - called);
    called += calls.length;
    thread.add({ role: 'assistant', content: text, toolCalls: calls });
    emitText(emit, freshId(), text);
    const pending = await callTools(context, view.offers, calls);
    if (pending.length > 0) {
      follower?.pause();
      return { pending };
    }
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
  { follower, servers, agents, thread, emit, freshId, signal }: RunContext,
  offers: Offers,
  calls: readonly ToolCall[],
): Promise<readonly string[]> {
  const pending: string[] = [];
  for (const call of calls) {
    const route = follower?.start(call.id, offers) ?? offers.routes.get(call.name);
    // The event uses the application's own name for its tool.
    emitToolCall(emit, route?.kind === 'frontend' ? { ...call, name: route.name } : call);
    thread.know(call.id);
    if (route?.kind === 'frontend') {
      pending.push(call.id);
      continue;
    }
    const outcome: CallOutcome =
      route === undefined
        ? { content: `there is no tool "${call.name}"`, isError: true }
        : route.kind === 'agent'
          ? await agents.ask(route.cardUrl, call.arguments, signal, follower?.awaitsReport())
          : await servers.call(route, call.arguments, signal);
    signal.throwIfAborted();
    const { content, isError, structured, images = [] } = outcome;
    follower?.look({ images });
    follower?.finish(call.id, { text: content, structured });
    const messageId = freshId();
    thread.add({ role: 'tool', toolCallId: call.id, content, isError }, messageId);
    emit({ type: 'TOOL_CALL_RESULT', messageId, toolCallId: call.id, role: 'tool', content });
  }
  return pending;
}

/** Gives the user an answer. Returns the question by which it ends the run, if it asks by one. */
function answer({ follower, thread, emit, freshId }: RunContext, text: string): ValueMap | undefined {
  const messageId = freshId();
  const words: ChatMessage = { role: 'assistant', content: text };
  thread.add(words, messageId);
  emitText(emit, messageId, text);
  return follower?.end(words);
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
