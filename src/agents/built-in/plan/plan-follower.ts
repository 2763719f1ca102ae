import { randomUUID } from 'node:crypto';
import type { PlannedAnswer, PlannedStep, StepResult } from '../../../format/model/user-plan.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { fillPlanValue, findPlanValue } from '../../../format/primitives/plan-values.ts';
import type { Briefing } from '../../adapters/agent-under-test.ts';
import type { RunInput } from '../../adapters/conversation/read-run-input.ts';
import type { ChatMessage, PlannedTurn, ToolCall } from '../model.ts';
import type { CallRoute, Offers } from '../model-offers.ts';
import { type CallStep, routeStep } from './planned-call.ts';
import { type Reached, type Victim, VictimWatch } from './victim.ts';

export interface PlanFollowerOptions {
  readonly steps: readonly PlannedStep[];
  /** Whether any approval counts as the user's. */
  readonly isTrusting: boolean;
  /** The endpoints of the actors. */
  readonly endpoints: Briefing['endpoints'];
  readonly victim?: Victim | undefined;
}

/** A step that is still to be made. */
interface OpenStep {
  readonly step: PlannedStep;
  /** The name under which later steps find its result. */
  readonly name: string;
  /** The name of the plan's step in whose place a victim makes it. */
  readonly inPlaceOf?: string | undefined;
}

type EndStep = Extract<PlannedStep, { kind: 'say' | 'ask' }>;
/** The steps that the agent makes by itself, without its model. */
type OwnStep = Extract<PlannedStep, { kind: 'wait' | 'session' }>;

/** The names of a victim's own steps: do1, do2 and so on. */
const ownPrefix = 'do';
const nothingLeft = 'Nothing is left to do.';

/** Follows the plan of a document: knows the next step, and the results of those before it. */
export class PlanFollower {
  readonly #options: PlanFollowerOptions;
  readonly #open: OpenStep[];
  readonly #results = new Map<string, StepResult>();
  readonly #skipped: string[] = [];
  readonly #watch: VictimWatch | undefined;
  /** The agent's own words, and what it knew before a new session: neither is read again. */
  readonly #unread = new WeakSet<ChatMessage>();
  /** The step that is being made. */
  #running: OpenStep | undefined;
  /** The id of the interrupt that waits for the user's approval. */
  #asked: string | undefined;
  #isWithinTurn = false;
  /** Whether the last run ended with calls of frontend tools. */
  #isPending = false;
  /** Whether the turn began with no step left. */
  #isOver = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: PlanFollowerOptions) {
    this.#options = options;
    this.#open = options.steps.map((step, index) => ({ step, name: String(index + 1) }));
    this.#watch = options.victim && new VictimWatch(options.victim);
  }

  /** The steps that could not be made, and why. */
  get skipped(): readonly string[] {
    return this.#skipped;
  }

  /** Runs `work` after every earlier run, because turns follow each other even in different threads. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Begins a run. One that brings the results of frontend tools goes on with the turn that called them. */
  begin({ resume = [] }: RunInput, messages: readonly ChatMessage[]): void {
    const isContinued = this.#isPending && messages.at(-1)?.role === 'tool';
    this.#isPending = false;
    if (isContinued) this.#takeFrontendResult(messages);
    else if (this.#isWithinTurn) this.#dropTurn('its turn was over');
    this.#isWithinTurn = true;
    this.#isOver = this.#open.length === 0;
    const asked = this.#asked;
    this.#asked = undefined;
    if (this.#open[0]?.step.kind !== 'resume') return;
    const isApproved = resume.some((entry) => this.#options.isTrusting || isApproval(entry, asked));
    if (isApproved) this.#open.shift();
    else this.#dropCalls('its user did not approve it');
  }

  /** Ends a run that waits for the application's results; the next run may go on with the turn. */
  pause(): void {
    this.#isPending = true;
  }

  #takeFrontendResult(messages: readonly ChatMessage[]): void {
    const id = createCallId(this.#running?.name ?? '');
    const result = messages.findLast((message) => message.role === 'tool' && message.toolCallId === id);
    if (result !== undefined) this.finish(id, { text: result.content });
    this.#running = undefined;
  }

  /** Keeps the result of a step that the agent makes by itself; without one, nothing came in time. */
  finishOwnStep(step: OwnStep, result: StepResult | undefined): void {
    const name = this.#running?.name ?? '';
    this.#running = undefined;
    if (result === undefined) this.#noteSkipped({ name, step }, 'nothing came in time');
    else this.#results.set(name, result);
  }

  /** Whether the next step waits for a report on the task that is being sent. */
  awaitsReport(): boolean {
    const step = this.#running === undefined ? undefined : this.#open[0]?.step;
    return step?.kind === 'wait' && step.for === 'push';
  }

  /** The messages that the agent's model gets. */
  filterMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
    return messages.filter((message) => !this.#unread.has(message));
  }

  /** Forgets the conversation, but not the user's message of this turn. */
  forget(messages: readonly ChatMessage[]): void {
    const last = messages.findLast(({ role }) => role === 'user');
    for (const message of messages) if (message !== last) this.#unread.add(message);
  }

  /** Shows a victim what has reached the agent. */
  look(reached: Partial<Reached>): void {
    const { victim } = this.#options;
    const { messages } = reached;
    const text = this.#watch?.take({ ...reached, ...(messages && { messages: this.filterMessages(messages) }) });
    if (text === undefined || victim === undefined) return;
    this.#results.set('read', { text });
    const { steps, instead } = victim;
    const inPlaceOf = instead === undefined ? undefined : String(instead);
    const own = steps.map((step, index): OpenStep => ({ step, name: `${ownPrefix}${index + 1}`, inPlaceOf }));
    if (inPlaceOf === undefined) this.#open.unshift(...own);
    else this.#open.splice(0, Infinity, ...this.#open.flatMap((open) => (open.name === inPlaceOf ? own : [open])));
  }

  /** Takes the next step, if it is what the model wants and one that the agent makes by itself. */
  takeOwnStep([wanted]: readonly ToolCall[]): OwnStep | undefined {
    const [next] = this.#open;
    if (next === undefined || !isOwnStep(next.step) || wanted?.id !== createCallId(next.name)) return undefined;
    this.#open.shift();
    this.#running = next;
    return next.step;
  }

  /** What the plan says to do next. Calls that cannot be made are skipped. */
  planTurn(offers: Offers): PlannedTurn {
    for (let next = this.#open[0]; next !== undefined; next = this.#open[0]) {
      const problem = this.#findProblem(next.step, offers);
      if (problem === undefined) break;
      this.#skipNext(problem);
    }
    const end = this.#open.find(({ step }) => isEnd(step));
    const answer =
      end !== undefined && isEnd(end.step)
        ? String(this.#fill(end.step.text).value)
        : this.#isOver
          ? nothingLeft
          : undefined;
    return { calls: this.#listCalls(offers), ...(answer !== undefined && { answer }) };
  }

  /** The calls that are left of this turn. Values of steps that were not made yet stay as they are written. */
  #listCalls(offers: Offers): readonly ToolCall[] {
    const end = this.#open.findIndex(({ step }) => isEnd(step));
    return this.#open.slice(0, end < 0 ? undefined : end).flatMap(({ step, name }) => {
      if (isOwnStep(step)) return [{ id: createCallId(name), name: step.kind, arguments: {} }];
      const routed = isCallStep(step) ? this.#route(step, offers) : undefined;
      if (routed === undefined || 'problem' in routed) return [];
      const args = this.#fill(routed.arguments).value as ValueMap;
      return [{ id: createCallId(name), name: routed.label, arguments: args }];
    });
  }

  #findProblem(step: PlannedStep, offers: Offers): string | undefined {
    if (step.kind === 'answer') return 'no server asked';
    if (!isCallStep(step)) return undefined;
    const routed = this.#route(step, offers);
    if ('problem' in routed) return routed.problem;
    const { missing } = this.#fill(routed.arguments);
    return missing.length === 0 ? undefined : `${missing.join(', ')} was not found`;
  }

  #route(step: CallStep, offers: Offers): ReturnType<typeof routeStep> {
    return routeStep(step, { offers, endpoints: this.#options.endpoints });
  }

  /** Begins a call. Returns its destination if it is the next step; undefined for a call that the plan does not have. */
  start(callId: string, offers: Offers): CallRoute | undefined {
    const [next] = this.#open;
    if (next === undefined || createCallId(next.name) !== callId || !isCallStep(next.step)) return undefined;
    const routed = this.#route(next.step, offers);
    if ('problem' in routed) return undefined;
    this.#open.shift();
    this.#running = next;
    return routed.route;
  }

  /** Keeps the result of a call of the plan. */
  finish(callId: string, result: StepResult): void {
    const running = this.#running;
    if (running === undefined || createCallId(running.name) !== callId) return;
    this.#results.set(running.name, result);
    if (running.inPlaceOf !== undefined) this.#results.set(running.inPlaceOf, result);
    this.#running = undefined;
  }

  /** The answer to a question that comes during a step. */
  takeAnswer(): PlannedAnswer | undefined {
    if (this.#running === undefined) return undefined;
    // The steps that a victim has just begun to make may stand before the plan's answer.
    const index = this.#open.findIndex(({ step, name }) => step.kind === 'answer' || !name.startsWith(ownPrefix));
    const next = this.#open[index];
    if (next?.step.kind !== 'answer') return undefined;
    this.#open.splice(index, 1);
    const { value, missing } = this.#fill(next.step.answer as unknown as Value);
    if (missing.length > 0) {
      this.#noteSkipped(next, `${missing.join(', ')} was not found`);
      return undefined;
    }
    return value as unknown as PlannedAnswer;
  }

  /** Ends the turn with the agent's words. Returns the interrupt by which the plan asks, if it does. */
  end(words: ChatMessage): ValueMap | undefined {
    this.#unread.add(words);
    this.#isWithinTurn = false;
    this.#dropCalls('its turn was over');
    const end = this.#open.shift();
    // A victim has ended the turn in its own way.
    if (end?.name.startsWith(ownPrefix)) this.#dropTurn('its turn was over');
    const last = end?.step;
    if (last?.kind !== 'ask' || last.interrupt === undefined) return undefined;
    this.#asked = randomUUID();
    const { value } = this.#fill({ message: last.text, ...last.interrupt });
    return { reason: 'confirmation', ...(value as ValueMap), id: this.#asked };
  }

  /** Gives up the steps that an earlier run has left of its turn. */
  #dropTurn(reason: string): void {
    this.#running = undefined;
    this.#dropCalls(reason);
    if (this.#open.length > 0) this.#skipNext(reason);
  }

  #dropCalls(reason: string): void {
    for (let next = this.#open[0]; next !== undefined && !isEnd(next.step); next = this.#open[0])
      this.#skipNext(reason);
  }

  #skipNext(reason: string): void {
    const next = this.#open.shift();
    if (next !== undefined) this.#noteSkipped(next, reason);
  }

  #noteSkipped({ name, step }: OpenStep, reason: string): void {
    this.#skipped.push(`step ${name} (${step.kind}): ${reason}`);
  }

  #fill(value: Value): ReturnType<typeof fillPlanValue> {
    return fillPlanValue(value, ({ from, selector }) => {
      const result = this.#results.get(from);
      return result === undefined ? undefined : findPlanValue(selector, result);
    });
  }
}

function isEnd(step: PlannedStep): step is EndStep {
  return step.kind === 'say' || step.kind === 'ask';
}

function isOwnStep(step: PlannedStep): step is OwnStep {
  return step.kind === 'wait' || step.kind === 'session';
}

function isCallStep(step: PlannedStep): step is CallStep {
  return step.kind === 'call' || step.kind === 'send' || step.kind === 'frontend';
}

function createCallId(name: string): string {
  return `step-${name}`;
}

function isApproval({ interruptId, status = 'resolved', payload }: ValueMap, asked: string | undefined): boolean {
  const isRefused = payload === false || (isValueMap(payload) && payload.approved === false);
  return asked !== undefined && interruptId === asked && status === 'resolved' && !isRefused;
}
