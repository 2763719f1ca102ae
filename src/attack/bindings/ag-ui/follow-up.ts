import type { Diagnostic } from '../../../format/model/errors.ts';
import { isCollection, isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isToolMessage } from '../../../format/registry/payload-shapes.ts';
import type { Act, Acts, CarriedEvent, Fill, Ids, PartReading } from '../../engine/binding.ts';
import { dispatchResponse } from '../response-dispatch.ts';
import { listCarriedPieces } from './ag-ui-pieces.ts';
import { createAgUiWarning, omitProtocolVersion, runInput } from './ag-ui-run-input.ts';
import { type Conversation, type PendingToolCall, rebuildConversation } from './rebuild-conversation.ts';
import { isLangGraphInterrupt, readAgUiRunEnd } from './run-progress.ts';

// The answers that an agent waits for when its run ends, and the run that carries them.

/** The most calls that are answered; a flood of calls gets no more. */
const mostAnswered = 200;
/** Each answer carries the whole conversation, so its size is bounded: an agent must not make us send without limit. */
const mostCarried = 1024 * 1024;

export interface AgUiRunEvent {
  readonly event: ValueMap;
  readonly method: string;
}

interface EndedRun {
  readonly input: ValueMap;
  /** The state of the phase that submitted the run. */
  readonly state: ValueMap;
  /** All events of the run; the last is its RUN_FINISHED. */
  readonly events: readonly AgUiRunEvent[];
}

type FollowUpActs = Acts & Pick<PartReading, 'trouble' | 'cutOff'>;

/** The next actions after a run, by how it ended: answers to frontend tools, answers to interrupts, or none. */
export function planFollowUp(run: EndedRun, ids: Ids): FollowUpActs {
  const { input, events } = run;
  const outcome = readAgUiRunEnd(events.at(-1)?.event ?? {});
  if (outcome.kind === 'cancelled') return { acts: [], cutOff: 'its run was cancelled' };
  if (outcome.kind === 'interrupt') return answerInterrupts(run, outcome.interrupts, ids, writeResume);
  const asked = events.filter(({ method, event }) => isLangGraphInterrupt(method, event));
  if (asked.length > 0) return answerInterrupts(run, asked.map(readLangGraphInterrupt), ids, writeResumeCommand);
  // An agent can make more calls than this; the entries are tried for the first of them only.
  let tries = mostAnswered;
  const hasResponse = (start: ValueMap): boolean =>
    tries-- > 0 && dispatchResponse(run.state.tool_responses, start, (value) => value).selected !== undefined;
  const conversation = rebuildConversation(events, input, outcome.pending, hasResponse);
  const calls = conversation.waiting.slice(0, mostAnswered);
  if (calls.length === 0) return { acts: [] };
  return createFollowUp(run, conversation, answerToolCalls(run, calls, ids), ids);
}

/** The fields that a follow-up run adds to the conversation. */
interface FollowUpFields {
  readonly fields: (fill: Fill, before: readonly Value[]) => ValueMap;
  readonly pieces: (fill: Fill) => readonly string[];
  readonly carries?: Act['carries'];
  readonly warnings: readonly Diagnostic[];
}

function createFollowUp(run: EndedRun, conversation: Conversation, brought: FollowUpFields, ids: Ids): FollowUpActs {
  const { messages, state, keepsMessages, keepsState, unfit } = conversation;
  const { fields, pieces, carries, warnings } = brought;
  if (isLonger([messages as Value, state ?? null], mostCarried))
    return {
      acts: [],
      trouble: `what it said is longer than the ${mostCarried} characters that an answer may carry`,
    };
  const runId = ids.fresh();
  // An approval is given once: later runs do not repeat it.
  const { resume: _, ...input } = run.input;
  const written = isValueMap(run.state.run_agent_input) ? run.state.run_agent_input : {};
  const { messages: m, state: s, resume, ...rest } = written;
  const still = listCarriedPieces({
    ...rest,
    ...(keepsMessages && m !== undefined && { messages: m }),
    ...(keepsState && s !== undefined && { state: s }),
  });
  const followUp: Act = {
    method: runInput,
    counts: true,
    ...omitProtocolVersion(run.state),
    content: (fill) => ({
      ...input,
      runId,
      ...(state !== undefined && { state }),
      messages,
      ...fields(fill, messages),
    }),
    ...(carries !== undefined && { carries }),
    // The answers are known only when the run is sent: the predicates that choose them may hold templates.
    resolve: (fill) => ({ ...followUp, pieces: [...still, ...new Set(pieces(fill))] }),
  };
  const unfitting =
    unfit === 0
      ? []
      : [createAgUiWarning('O-131', `${unfit} of its state patches do not fit and are left out of the next run input`)];
  return { acts: [followUp], warnings: [...warnings, ...unfitting] };
}

function answerToolCalls({ state }: EndedRun, calls: readonly PendingToolCall[], ids: Ids): FollowUpFields {
  const { tool_responses: responses } = state;
  const asked = calls.map((call) => ({ call, messageId: ids.fresh() }));
  const results = (fill: Fill): readonly ToolResult[] =>
    asked.map(({ call, messageId }) => createToolResult(call, messageId, responses, fill));
  return {
    fields: (fill, before) => ({ messages: [...before, ...results(fill).map(({ message }) => message)] }),
    pieces: (fill) => results(fill).flatMap(({ piece }) => piece ?? []),
    carries: (content) =>
      (isValueMap(content) && Array.isArray(content.messages) ? content.messages : [])
        .slice(-asked.length)
        .map(createResultEvent),
    warnings: calls.flatMap(({ start }) => dispatchResponse(responses, start, (value) => value).warnings),
  };
}

interface ToolResult {
  readonly message: ValueMap;
  /** The place of the answer in the state; not set if the document has no answer. */
  readonly piece?: string;
}

/** The message that gives the agent the result of its call. */
function createToolResult(
  { id, start }: PendingToolCall,
  messageId: string,
  responses: Value | undefined,
  fill: Fill,
): ToolResult {
  const fillIn: Fill = (value) => fill(value, start);
  const { selected } = dispatchResponse(responses, start, fillIn);
  const { content = '' } = selected?.entry ?? {};
  const result = fillIn(content);
  const { messageId: writtenId = messageId, ...rest } = isToolMessage(result) ? result : { content: result };
  return {
    message: { id: writtenId, role: 'tool', toolCallId: id, ...rest },
    ...(selected !== undefined && { piece: `/tool_responses/${selected.index}` }),
  };
}

function createResultEvent(message: Value): CarriedEvent {
  const { id: messageId = null, ...result } = isValueMap(message) ? message : {};
  return { method: 'tool_call_result', content: { type: 'TOOL_CALL_RESULT', messageId, ...result } };
}

/** How answers to interrupts are written into a run input. */
type ResumeWriter = (answers: readonly ValueMap[], input: ValueMap) => ValueMap;

const writeResume: ResumeWriter = (answers) => ({ resume: answers as Value });

/** LangGraph's own form, which takes a single answer. */
const writeResumeCommand: ResumeWriter = ([first = {}], { forwardedProps }) => ({
  forwardedProps: {
    ...(isValueMap(forwardedProps) && forwardedProps),
    command: { resume: first.payload ?? null },
  },
});

function readLangGraphInterrupt({ event }: AgUiRunEvent): ValueMap {
  return { reason: 'on_interrupt', ...(event.value !== undefined && { value: event.value }) };
}

/** An interrupt is a question of the agent's. It is answered if the document has an answer, and reported if not. */
function answerInterrupts(run: EndedRun, interrupts: readonly ValueMap[], ids: Ids, write: ResumeWriter): FollowUpActs {
  const { input, state, events } = run;
  const { interrupt_responses: responses } = state;
  const chosen = (fill: Fill) =>
    interrupts.map((interrupt) => {
      const fillIn: Fill = (value) => fill(value, interrupt);
      return { interrupt, fillIn, ...dispatchResponse(responses, interrupt, fillIn) };
    });
  const asWritten = chosen((value) => value);
  const warnings = asWritten.flatMap((each) => each.warnings);
  const open = asWritten.filter(({ selected }) => selected === undefined).map(({ interrupt }) => interrupt);
  const untold = open.map((interrupt) =>
    createAgUiWarning(
      'O-130',
      `the agent ended its run with a question, and nothing answers it: ${readInterruptQuestion(interrupt)}`,
    ),
  );
  if (open.length === interrupts.length) return { acts: [], warnings: untold };
  const brought: FollowUpFields = {
    fields: (fill) =>
      write(
        chosen(fill).flatMap(({ interrupt, fillIn, selected }) =>
          selected === undefined ? [] : [resumeEntry(interrupt, selected.entry, fillIn)],
        ),
        input,
      ),
    pieces: (fill) =>
      chosen(fill).flatMap(({ selected }) =>
        selected === undefined ? [] : [`/interrupt_responses/${selected.index}`],
      ),
    warnings: [...warnings, ...untold],
  };
  return createFollowUp(run, rebuildConversation(events, input), brought, ids);
}

/** Every key of the entry but `when` is sent as it is: an answer may name another interrupt than the current one. */
function resumeEntry({ id }: ValueMap, entry: ValueMap, fillIn: Fill): ValueMap {
  const { when: _, synthesize: __, ...answer } = entry;
  return {
    ...(id !== undefined && { interruptId: id }),
    status: 'resolved',
    ...(fillIn(answer) as ValueMap),
  };
}

const longestQuestion = 300;

/** Frameworks put their question in different fields. If none is known, the whole interrupt is shown. */
function readInterruptQuestion(interrupt: ValueMap): string {
  const { message, value = interrupt } = interrupt;
  const question = typeof message === 'string' && message !== '' ? message : value;
  return (typeof question === 'string' ? question : JSON.stringify(question)).slice(0, longestQuestion);
}

/** Whether the values are longer than this as JSON, approximately. A shared value counts each time it would be written. */
function isLonger(values: readonly Value[], most: number): boolean {
  const pending = [...values];
  let length = 0;
  for (let next = pending.pop(); next !== undefined && length <= most; next = pending.pop()) {
    length += typeof next === 'string' ? next.length + 2 : 1;
    if (!isCollection(next)) continue;
    for (const [key, item] of Object.entries(next)) {
      length += key.length;
      pending.push(item as Value);
    }
  }
  return length > most;
}
