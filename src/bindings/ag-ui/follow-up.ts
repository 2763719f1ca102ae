import type { Act, Acts, CarriedEvent, Fill, Ids, Reading } from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isCollection, isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { responseFor } from '../response-dispatch.ts';
import { type Conversation, conversationAfter, type ToolCall } from './conversation.ts';
import { isLangGraphInterrupt, outcomeOf } from './outcome.ts';
import { carriedBy } from './pieces.ts';
import { olderThan, runInput, warning } from './run-input.ts';

// What the agent waits for when its run is over, and the run that brings it.

/** Of a flood of calls no more are answered. */
const mostAnswered = 200;
/** Each answer carries all that was said before, so what an agent can make us carry is bounded. */
const mostCarried = 1024 * 1024;

export interface ReadEvent {
  readonly event: ValueMap;
  readonly method: string;
}

/** A run that has ended. */
export interface EndedRun {
  readonly input: ValueMap;
  /** The state of the phase that submitted it. */
  readonly state: ValueMap;
  /** All that it said; the last is its RUN_FINISHED. */
  readonly events: readonly ReadEvent[];
}

type Answered = Acts & Pick<Reading, 'trouble' | 'cutOff'>;

/** What follows from how a run ended: answers to frontend tools, answers to interrupts, or nothing. */
export function answersTo(run: EndedRun, ids: Ids): Answered {
  const { input, events } = run;
  const outcome = outcomeOf(events.at(-1)?.event ?? {});
  if (outcome.kind === 'cancelled') return { acts: [], cutOff: 'its run was cancelled' };
  if (outcome.kind === 'interrupt') return resumption(run, outcome.interrupts, ids, resumed);
  const asked = events.filter(({ method, event }) => isLangGraphInterrupt(method, event));
  if (asked.length > 0) return resumption(run, asked.map(ofLangGraph), ids, commanded);
  const conversation = conversationAfter(events, input, outcome.pending);
  const calls = conversation.waiting.slice(0, mostAnswered);
  if (calls.length === 0) return { acts: [] };
  return follow(run, conversation, toolResults(run, calls, ids), ids);
}

/** What a follow-up brings beside the conversation. */
interface Brought {
  readonly fields: (fill: Fill, before: readonly Value[]) => ValueMap;
  readonly pieces: (fill: Fill) => readonly string[];
  readonly carries?: Act['carries'];
  readonly warnings: readonly Diagnostic[];
}

function follow(run: EndedRun, conversation: Conversation, brought: Brought, ids: Ids): Answered {
  const { messages, state, keepsMessages, keepsState, unfit } = conversation;
  const { fields, pieces, carries, warnings } = brought;
  if (isLonger([messages as Value, state ?? null], mostCarried))
    return {
      acts: [],
      trouble: `what it said is longer than the ${mostCarried} characters that an answer may carry`,
    };
  const runId = ids.fresh();
  // An approval is given once: a run that goes on does not repeat it.
  const { resume: _, ...input } = run.input;
  const written = isValueMap(run.state.run_agent_input) ? run.state.run_agent_input : {};
  const { messages: m, state: s, resume, ...rest } = written;
  const still = carriedBy({
    ...rest,
    ...(keepsMessages && m !== undefined && { messages: m }),
    ...(keepsState && s !== undefined && { state: s }),
  });
  const followUp: Act = {
    method: runInput,
    counts: true,
    ...olderThan(run.state),
    content: (fill) => ({
      ...input,
      runId,
      ...(state !== undefined && { state }),
      messages,
      ...fields(fill, messages),
    }),
    ...(carries !== undefined && { carries }),
    // Which answers it carries is known when it goes out: what chooses them may hold templates.
    resolve: (fill) => ({ ...followUp, pieces: [...still, ...new Set(pieces(fill))] }),
  };
  const unfitting =
    unfit === 0
      ? []
      : [
          warning(
            'O-131',
            `${unfit} of its patches of the state do not fit, and are left out of what it is told`,
          ),
        ];
  return { acts: [followUp], warnings: [...warnings, ...unfitting] };
}

function toolResults({ state }: EndedRun, calls: readonly ToolCall[], ids: Ids): Brought {
  const { tool_responses: responses } = state;
  const asked = calls.map((call) => ({ call, messageId: ids.fresh() }));
  const results = (fill: Fill): readonly ToolResult[] =>
    asked.map(({ call, messageId }) => resultOf(call, messageId, responses, fill));
  return {
    fields: (fill, before) => ({ messages: [...before, ...results(fill).map(({ message }) => message)] }),
    pieces: (fill) => results(fill).flatMap(({ piece }) => piece ?? []),
    carries: (content) =>
      (isValueMap(content) && Array.isArray(content.messages) ? content.messages : [])
        .slice(-asked.length)
        .map(resultEvent),
    warnings: calls.flatMap(({ start }) => responseFor(responses, start, (value) => value).warnings),
  };
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

/** How answers to interrupts are written into a run input. */
type Written = (answers: readonly ValueMap[], input: ValueMap) => ValueMap;

const resumed: Written = (answers) => ({ resume: answers as Value });

/** LangGraph's own way, which takes one answer. */
const commanded: Written = ([first = {}], { forwardedProps }) => ({
  forwardedProps: {
    ...(isValueMap(forwardedProps) && forwardedProps),
    command: { resume: first.payload ?? null },
  },
});

function ofLangGraph({ event }: ReadEvent): ValueMap {
  return { reason: 'on_interrupt', ...(event.value !== undefined && { value: event.value }) };
}

/** An interrupt is a question of the agent's. It is answered where the document answers it, and told where not. */
function resumption(run: EndedRun, interrupts: readonly ValueMap[], ids: Ids, write: Written): Answered {
  const { input, state, events } = run;
  const { interrupt_responses: responses } = state;
  const chosen = (fill: Fill) =>
    interrupts.map((interrupt) => {
      const fillIn: Fill = (value) => fill(value, interrupt);
      return { interrupt, fillIn, ...responseFor(responses, interrupt, fillIn) };
    });
  const asWritten = chosen((value) => value);
  const warnings = asWritten.flatMap((each) => each.warnings);
  const open = asWritten.filter(({ selected }) => selected === undefined).map(({ interrupt }) => interrupt);
  const untold = open.map((interrupt) =>
    warning(
      'O-130',
      `the agent ended its run with a question, and nothing answers it: ${questionOf(interrupt)}`,
    ),
  );
  if (open.length === interrupts.length) return { acts: [], warnings: untold };
  const brought: Brought = {
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
  return follow(run, conversationAfter(events, input), brought, ids);
}

/** What the entry says beside `when` goes out as it is: an answer may name another interrupt than the one that is asked. */
function resumeEntry({ id }: ValueMap, entry: ValueMap, fillIn: Fill): ValueMap {
  const { when: _, synthesize: __, ...said } = entry;
  return {
    ...(id !== undefined && { interruptId: id }),
    status: 'resolved',
    ...(fillIn(said) as ValueMap),
  };
}

const longestQuestion = 300;

/** Frameworks put their question where they like; then all of the interrupt is shown. */
function questionOf(interrupt: ValueMap): string {
  const { message, value = interrupt } = interrupt;
  const said = typeof message === 'string' && message !== '' ? message : value;
  return (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, longestQuestion);
}

/** Whether values are longer than this as JSON, about; what is shared counts each time that it would be written. */
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
