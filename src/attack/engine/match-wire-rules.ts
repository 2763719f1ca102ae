import { readWireRules, type WireRule } from '../../format/extensions/read-wire.ts';
import type { AppliedWireRule } from '../../format/model/applied-wire-rule.ts';
import { isEvaluationError } from '../../format/model/errors.ts';
import type { NormalizedActor, NormalizedExecution } from '../../format/model/normalized.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { compilePredicate } from '../../format/primitives/evaluate-predicate.ts';
import { applyWireRule } from './apply-wire-rule.ts';
import type { Binding, Fill } from './binding.ts';
import { warnOfOverdue } from './overdue.ts';
import { getPhase, recordWarnings, type StepWork } from './work.ts';

// How the messages of a phase are sent (docs/extensions/wire.md): the first rule that fits a message is applied to it.
// A phase without rules skips all of this.

/** The state that an actor keeps for its rules. */
export interface WireState {
  /** How many messages have fitted each rule, by its pointer. */
  readonly fitted: ReadonlyMap<string, number>;
  /** Rules that have been applied. */
  readonly fired: ReadonlySet<string>;
  /** The id of the request that was answered last. */
  readonly lastId?: Value;
}

export const noWire: WireState = { fitted: new Map(), fired: new Set() };

/** The rules in force in a phase, under the binding's names of operations; undefined when there are none. */
export function compileWire(
  execution: NormalizedExecution,
  actor: NormalizedActor,
  index: number,
  operationName?: Binding['operationName'],
): readonly WireRule[] | undefined {
  const rules = readWireRules(execution, actor, index);
  return rules.length === 0 ? undefined : rules.map((rule) => ({ ...rule, on: operationName?.(rule.on) ?? rule.on }));
}

/** A message that is about to go out. */
interface OutgoingMessage {
  /** The operation that the message answers, or its own. */
  readonly method: string;
  /** The params that predicates read: those of the answered request, or the message's own. */
  readonly params: Value | undefined;
  /** The id under which an answer is due. */
  readonly id?: Value | undefined;
  readonly fill: Fill;
}

/** Finds the rule that fits a message, and what it does to the message; undefined when no rule fits. */
export function findWireRule(
  work: StepWork,
  phase: number,
  leaving: OutgoingMessage,
): { readonly rule: WireRule; readonly order: AppliedWireRule } | undefined {
  const { wire } = getPhase(work, phase);
  if (wire === undefined) return undefined;
  const { lastId } = work.wire;
  const rule = wire.find((each) => isRuleDue(work, phase, each, leaving));
  if (leaving.id !== undefined) work.wire = { ...work.wire, lastId: leaving.id };
  if (rule === undefined) return undefined;
  work.wire = { ...work.wire, fired: new Set(work.wire.fired).add(rule.pointer) };
  const { program, seed } = work.context;
  const nth = work.wire.fitted.get(rule.pointer) ?? 0;
  const order = applyWireRule(rule, {
    fill: leaving.fill,
    lastId,
    id: leaving.id,
    random: createSeededRandom(seed, `${program.name}${rule.pointer}#${nth}`),
  });
  return { rule, order };
}

/** Tells whether a rule applies to a message. Messages that fit are counted even when it is not their turn. */
function isRuleDue(work: StepWork, phase: number, rule: WireRule, { method, params, fill }: OutgoingMessage): boolean {
  if (rule.on !== method && rule.on !== '*') return false;
  if (rule.when !== undefined) {
    const predicate = fill(rule.when);
    const holds = isValueMap(predicate) && compilePredicate(predicate)(params ?? {});
    if (isEvaluationError(holds))
      recordWarnings(work, phase, [warnOfOverdue(`the \`when\` of ${rule.pointer}`, holds.message)]);
    if (holds !== true) return false;
  }
  const count = (work.wire.fitted.get(rule.pointer) ?? 0) + 1;
  work.wire = { ...work.wire, fitted: new Map(work.wire.fitted).set(rule.pointer, count) };
  if (rule.nth !== undefined) return count === rule.nth;
  return rule.times === undefined || count <= rule.times;
}

/** Lists the rules of an actor that were never applied. */
export function listUnfiredRules(
  phases: readonly { readonly wire: readonly WireRule[] | undefined }[],
  { fired }: WireState,
): readonly WireRule[] {
  const all = new Map(phases.flatMap(({ wire = [] }) => wire.map((rule) => [rule.pointer, rule] as const)));
  return [...all.values()].filter(({ pointer }) => !fired.has(pointer));
}

/**
 * Makes a generator of numbers from 0 to below 1. They depend only on the seed and the name, so they are the same on every
 * machine and differ for each name.
 */
export function createSeededRandom(seed: number, name: string): () => number {
  let state = seed >>> 0;
  for (let at = 0; at < name.length; at += 1) state = mixBits(state ^ name.charCodeAt(at));
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mixBits(state) / 2 ** 32;
  };
}

/** Spreads each bit over all others. */
function mixBits(value: number): number {
  let mix = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  mix = Math.imul(mix ^ (mix >>> 15), 0x735a2d97);
  return (mix ^ (mix >>> 15)) >>> 0;
}
