import type {
  Act,
  Acts,
  CarriedEvent,
  ClientBinding,
  Fill,
  Ids,
  Reader,
  Reading,
} from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { responseFor } from '../response-dispatch.ts';
import { type OpenChunks, type PartEvent, readChunk } from './chunks.ts';
import { carriedBy } from './pieces.ts';
import { type ToolCall, turnOf } from './turn.ts';
import { agUiViews } from './views.ts';

// §7.3: we are the user's side. A run input goes out as it is written; the agent's events come back.

/** AG-UI, the user’s side: what an `ag_ui_client` actor submits, and how it reads the events. */
export const agUiClient: ClientBinding = {
  mode: 'ag_ui_client',
  protocol: 'ag_ui',
  views: agUiViews,
  acts: submitInput,
  reader: ({ params }, state) =>
    readerOf(isValueMap(params) ? params : {}, isValueMap(state) ? state.tool_responses : undefined),
};

function submitInput(state: Value | undefined, ids: Ids): Acts {
  const input = isValueMap(state) ? state.run_agent_input : undefined;
  if (input === undefined || input === null)
    return { acts: [], warnings: [warning('O-105', 'there is no `run_agent_input`, so nothing is said')] };
  if (!isValueMap(input)) return { acts: [submission(input)] };
  // The thread is one for all phases, so that they are one conversation.
  const wanted = { threadId: () => ids.own, runId: ids.fresh };
  const missing = Object.entries(wanted).filter(([key]) => !Object.hasOwn(input, key));
  const generated = Object.fromEntries(missing.map(([key, make]) => [key, make()]));
  const warnings = missing.map(([key]) =>
    warning('O-105', `\`run_agent_input\` has no ${key}; ${generated[key]} is used`),
  );
  return { acts: [submission({ ...input, ...generated })], warnings };
}

function submission(input: Value): Act {
  return { method: runInput, content: (fill) => fill(input), counts: true, pieces: carriedBy(input) };
}

const runInput = 'run_agent_input';
/** A start that a flood of others has followed is forgotten, and of a flood of calls no more are answered. */
const mostRemembered = 200;
const mostCarried = 1024 * 1024;

/** What has been read of a run so far. Events hang together backwards, so that adding one copies none. */
interface Run {
  readonly input: ValueMap;
  readonly responses: Value | undefined;
  readonly last?: ReadEvent;
  /** Names of the tools that calls have started, by call. */
  readonly names: ReadonlyMap<string, string>;
  /** The call that a chunk without an id belongs to. */
  readonly current?: string;
  readonly chunks?: OpenChunks;
  /** What a stream says after its run is heard, but not answered. */
  readonly isOver?: true;
}

interface ReadEvent {
  readonly event: ValueMap;
  readonly method: string;
  readonly before: ReadEvent | undefined;
}

function readerOf(input: ValueMap, responses: Value | undefined): Reader {
  return reading({ input, responses, names: new Map() });
}

function reading(run: Run): Reader {
  return {
    read(part, ids) {
      if (!isValueMap(part) || typeof part.type !== 'string') return undefined;
      const method = eventName(part.type);
      const { names, current } = remember(run, method, part);
      const content = named(part, method, names, current);
      const { open, ended, begun } = readChunk(run.chunks, method, content);
      const { chunks: _, ...rest } = run;
      const kept = { ...(current !== undefined && { current }), ...(open !== undefined && { chunks: open }) };
      const known = { ...rest, names, ...kept };
      const last = { event: content, method, before: run.last };
      const events = [...ended.map(asDerived), { method, content }, ...begun.map(asDerived)];
      if (run.isOver) return { next: reading(known), events };
      if (!ends.has(method)) return { next: reading({ ...known, last }), events };
      const over = { next: reading({ ...known, isOver: true }), events, isOver: true } as const;
      return method === 'run_error' ? over : { ...over, ...answers(run, eventsUpTo(last), ids) };
    },
    end: () => 'the stream ended before the run did',
  };
}

/** The trace has the chunk; what it starts, carries and ends is for triggers and extractors. */
function asDerived(event: PartEvent): CarriedEvent {
  return { ...event, isDerived: true };
}

const ends = new Set(['run_finished', 'run_error']);

/** `TEXT_MESSAGE_START` is `text_message_start`; agents that write `TextMessageStart` mean the same. */
function eventName(type: string): string {
  return /[a-z]/.test(type) ? type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase() : type.toLowerCase();
}

function remember(run: Run, method: string, event: ValueMap): Pick<Run, 'names' | 'current'> {
  const { toolCallId: id, toolCallName: name } = event;
  const isChunk = method === 'tool_call_chunk';
  const current = isChunk && typeof id === 'string' ? id : run.current;
  const kept = current === undefined ? {} : { current };
  if (!(isChunk || method === 'tool_call_start') || typeof id !== 'string' || typeof name !== 'string')
    return { names: run.names, ...kept };
  const names = new Map(run.names).set(id, name);
  const [oldest] = names.keys();
  if (names.size > mostRemembered && oldest !== undefined) names.delete(oldest);
  return { names, ...kept };
}

const unnamed = new Set(['tool_call_args', 'tool_call_end', 'tool_call_chunk']);

/** Arguments and the end of a call say only its id; triggers and indicators want to know which tool it is. */
function named(event: ValueMap, method: string, names: Run['names'], current: string | undefined): ValueMap {
  if (!unnamed.has(method) || Object.hasOwn(event, 'toolCallName')) return event;
  const id = typeof event.toolCallId === 'string' ? event.toolCallId : current;
  const toolCallName = id === undefined ? undefined : names.get(id);
  return toolCallName === undefined ? event : { ...event, toolCallName };
}

function eventsUpTo(last: ReadEvent): readonly ReadEvent[] {
  const events: ReadEvent[] = [];
  for (let each: ReadEvent | undefined = last; each !== undefined; each = each.before) events.push(each);
  return events.reverse();
}

/** What the agent waits for: the results of the frontend tools it has called, in a run that carries them. */
function answers(
  { input, responses }: Run,
  events: readonly ReadEvent[],
  ids: Ids,
): Acts & Pick<Reading, 'trouble'> {
  const turn = turnOf(events, input);
  const calls = turn.waiting.slice(0, mostRemembered);
  if (calls.length === 0) return { acts: [] };
  // Each answer carries all that was said before, so what an agent can make us carry is bounded.
  if (JSON.stringify(turn.messages).length > mostCarried)
    return {
      acts: [],
      trouble: `what it said is longer than the ${mostCarried} characters that an answer may carry`,
    };
  const asked = calls.map((call) => ({ call, messageId: ids.fresh() }));
  const runId = ids.fresh();
  const results = (fill: Fill): readonly ToolResult[] =>
    asked.map(({ call, messageId }) => resultOf(call, messageId, responses, fill));
  const followUp: Act = {
    method: runInput,
    counts: true,
    content(fill) {
      const told = results(fill).map(({ message }) => message);
      return { ...input, runId, messages: [...messagesOf(input), ...turn.messages, ...told] };
    },
    carries: (content) => messagesOf(content).slice(-asked.length).map(resultEvent),
    // Which answers it carries is known when it goes out: what chooses them may hold templates.
    resolve: (fill) => ({
      ...followUp,
      pieces: [...carriedBy(input), ...new Set(results(fill).flatMap(({ piece }) => piece ?? []))],
    }),
  };
  return { acts: [followUp], warnings: calls.flatMap(({ start }) => warningsFor(start, responses)) };
}

function messagesOf(input: Value): readonly Value[] {
  return isValueMap(input) && Array.isArray(input.messages) ? input.messages : [];
}

interface ToolResult {
  readonly message: ValueMap;
  /** Where in the state it stands; nothing where the document has no answer. */
  readonly piece?: string;
}

/** The message that tells the agent what a call of its has given. */
function resultOf(
  { id, start }: ToolCall,
  messageId: string,
  responses: Value | undefined,
  fill: Fill,
): ToolResult {
  const fillIn: Fill = (value) => fill(value, start);
  const { selected } = responseFor(responses, start, fillIn);
  const { content = '' } = selected?.entry ?? {};
  return {
    message: { id: messageId, role: 'tool', toolCallId: id, content: fillIn(content) },
    ...(selected !== undefined && { piece: `/tool_responses/${selected.index}` }),
  };
}

function resultEvent(message: Value): CarriedEvent {
  const { id: messageId = null, ...result } = isValueMap(message) ? message : {};
  return { method: 'tool_call_result', content: { type: 'TOOL_CALL_RESULT', messageId, ...result } };
}

function warningsFor(start: ValueMap, responses: Value | undefined): readonly Diagnostic[] {
  return responseFor(responses, start, (value) => value).warnings;
}

function warning(code: string, message: string): Diagnostic {
  return { severity: 'warning', code, message };
}
