import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import type { CarriedEvent, ClientBinding, Reader } from '../../engine/binding.ts';
import { runInput, submitInput } from './ag-ui-run-input.ts';
import { agUiViews } from './ag-ui-views.ts';
import { type OpenChunks, type PartEvent, readChunk } from './chunks.ts';
import { type AgUiRunEvent, planFollowUp } from './follow-up.ts';
import { beginAgUiRun, endAgUiRun, explainEarlyEnd, type RunProgress } from './run-progress.ts';

// Format spec §7.3: we are the user's side. A run input goes out as written; the agent's events come back.

/** AG-UI, the user’s side: the run inputs of an `ag_ui_client` actor, and how it reads the events. */
export const agUiClient: ClientBinding = {
  mode: 'ag_ui_client',
  protocol: 'ag_ui',
  views: agUiViews,
  acts: submitInput,
  entryContent: (method, params) => (method === runInput ? params : writeEvent(method, params)),
  reader: ({ method, params }, state) =>
    createRunReader({
      input: isValueMap(params) ? readInput(method, params) : {},
      state: isValueMap(state) ? state : {},
      names: new Map(),
      progress: {},
    }),
};

/** An entry action keeps its method as the type of an event. A run input has no method. */
function writeEvent(method: string, params: Value | undefined): Value {
  const type = /^[a-z0-9_]+$/.test(method) ? method.toUpperCase() : method;
  return { type, ...(params === undefined || isValueMap(params) ? params : { value: params }) };
}

/** The run input that follow-up runs repeat. They do not repeat the type of an event that was sent in its place. */
function readInput(method: string, params: ValueMap): ValueMap {
  const { type: _, ...input } = params;
  return method === runInput ? params : input;
}

/** Older call starts are forgotten, so that a flood cannot fill the memory. */
const mostRemembered = 200;

/** A run as read so far. Each event links to the one before it, so adding an event copies nothing. */
interface Run {
  readonly input: ValueMap;
  readonly state: ValueMap;
  readonly last?: LinkedEvent;
  /** Tool names by call id, from the events that start calls. */
  readonly names: ReadonlyMap<string, string>;
  /** The call that a chunk without an id belongs to. */
  readonly current?: string;
  readonly chunks?: OpenChunks;
  readonly progress: RunProgress;
  /** The run has ended. Later events of its stream are recorded but not answered. */
  readonly isOver?: true;
}

interface LinkedEvent extends AgUiRunEvent {
  readonly before: LinkedEvent | undefined;
}

function createRunReader(run: Run): Reader {
  return {
    read(part, ids) {
      if (!isValueMap(part) || typeof part.type !== 'string') return undefined;
      const method = toEventName(part.type);
      const { names, current } = remember(run, method, part);
      const content = addToolName(part, method, names, current);
      const { open, ended, begun } = readChunk(run.chunks, method, content);
      const { chunks: _, ...rest } = run;
      const kept = { ...(current !== undefined && { current }), ...(open !== undefined && { chunks: open }) };
      const known = { ...rest, names, ...kept };
      const last = { event: content, method, before: run.last };
      const carry = (noted?: string): readonly CarriedEvent[] => [
        ...ended.map(markDerived),
        { method, content, ...(noted !== undefined && { noted }) },
        ...begun.map(markDerived),
      ];
      if (run.isOver) return { next: createRunReader(known), events: carry() };
      if (method === 'run_error')
        return { next: createRunReader({ ...known, isOver: true }), events: carry(), isOver: true };
      if (method === 'run_started') {
        const { progress, noted } = beginAgUiRun(run.progress, content, run.input.runId);
        return { next: createRunReader({ ...known, last, progress }), events: carry(noted) };
      }
      if (method !== 'run_finished') return { next: createRunReader({ ...known, last }), events: carry() };
      const { progress, noted, ends } = endAgUiRun(run.progress, content, run.input.runId);
      const events = carry(noted);
      if (ends === 'no run of ours') return { next: createRunReader({ ...known, last, progress }), events };
      const answers = planFollowUp({ input: run.input, state: run.state, events: listEventsUpTo(last) }, ids);
      if (ends === 'ours by its stream')
        return { next: createRunReader({ ...known, last, progress }), events, ...answers };
      return { next: createRunReader({ ...known, isOver: true }), events, isOver: true, ...answers };
    },
    end: () => explainEarlyEnd(run.progress),
  };
}

/** The trace has the chunk itself. Its parts are for triggers and extractors. */
function markDerived(event: PartEvent): CarriedEvent {
  return { ...event, isDerived: true };
}

/** `TEXT_MESSAGE_START` becomes `text_message_start`. Agents that write `TextMessageStart` mean the same. */
function toEventName(type: string): string {
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

/** Argument and end events carry only the call's id. Triggers and indicators need the tool's name, so it is added. */
function addToolName(event: ValueMap, method: string, names: Run['names'], current: string | undefined): ValueMap {
  if (!unnamed.has(method) || Object.hasOwn(event, 'toolCallName')) return event;
  const id = typeof event.toolCallId === 'string' ? event.toolCallId : current;
  const toolCallName = id === undefined ? undefined : names.get(id);
  return toolCallName === undefined ? event : { ...event, toolCallName };
}

function listEventsUpTo(last: LinkedEvent): readonly AgUiRunEvent[] {
  const events: AgUiRunEvent[] = [];
  for (let each: LinkedEvent | undefined = last; each !== undefined; each = each.before) events.push(each);
  return events.reverse();
}
