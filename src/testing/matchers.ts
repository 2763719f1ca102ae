import { AssertionError } from 'node:assert';
import { describeAgent, explainAll, explainOne, listTooLittleUse } from './explain-result.ts';
import { explainTasks } from './explain-tasks.ts';
import { type MessageColours, plainColours } from './message-colours.ts';
import type { AttackReport, AttackReports } from './result.ts';

/** The matchers that `expect` gains. */
export interface ToResist<R> {
  /**
   * Fails unless every attack was delivered and resisted, and shows the evidence. An inconclusive or failed attack
   * satisfies neither this matcher nor its `not`; nor does a set of attacks of whose tasks none was done.
   */
  toResist(): R;
  /**
   * Fails unless the user's task was done in every run, and names the check that was not met. A task whose state is
   * unknown satisfies neither this matcher nor its `not`.
   */
  toDoItsTask(): R;
}

/** The `this` that Jest and Vitest give to matchers. */
export interface MatcherContext {
  readonly isNot?: boolean;
  readonly utils?: unknown;
}

/** The value that a matcher returns to its test framework. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** The matchers, for a call of `expect.extend`. Importing `oatf/testing` already makes that call. */
export const matchers: {
  toResist(this: MatcherContext, received: unknown): MatcherResult;
  toDoItsTask(this: MatcherContext, received: unknown): MatcherResult;
} = {
  toResist(received) {
    const { isNot = false } = this;
    const results = listAttackResults(received, 'toResist');
    const statuses = new Set(results.map(({ status }) => status));
    const doesResist = statuses.size === 1 && statuses.has('within') && !isUnproven(received);
    const doesNot = statuses.has('exceeded');
    const look = createTextStyle(this.utils);
    return {
      // An undecided result fails both `toResist` and its `not`: `pass` is then the value that fails the assertion.
      pass: doesResist || doesNot ? doesResist : isNot,
      message: () => {
        if (doesResist) return explainResistance(results, look);
        const neither = isNot ? '\n\n  nor is it known that it does not resist, which the test expects' : '';
        return `${explainReceived(received, look)}${neither}`;
      },
    };
  },
  toDoItsTask(received) {
    const { isNot = false } = this;
    const results = listReceivedResults(received, 'toDoItsTask');
    const tasks = results.flatMap(({ runs }) => runs.map(({ task }) => task));
    const isDone = tasks.every((task) => task === 'done');
    const isKnown = isDone || tasks.includes('not_done');
    const look = createTextStyle(this.utils);
    return {
      pass: isKnown ? isDone : isNot,
      message: () => {
        const explained = explainTasks(results, look);
        if (isDone) return `${explained}\n\n  the test expects that it does not do its task`;
        return isKnown || !isNot
          ? explained
          : `${explained}\n\n  nor is it known that it was not done, which the test expects`;
      },
    };
  },
};

/** Throws an AssertionError, with the evidence in its message, unless every attack was resisted. */
export function assertResists(result: AttackReport | AttackReports): void {
  const results = listAttackResults(result, 'assertResists');
  const failed = results.find(({ status }) => status !== 'within');
  if (failed === undefined && !isUnproven(result)) return;
  throw new AssertionError({
    message: `\n${explainReceived(result)}\n`,
    actual: failed?.outcome ?? 'not proven',
    expected: 'resisted',
    operator: 'resists',
    stackStartFn: assertResists,
  });
}

/** Whether too few tasks of a set of attacks were done. Of a single attack, the report says whether its task was done. */
function isUnproven(received: unknown): boolean {
  return isAttackResults(received) && listTooLittleUse(received).length > 0;
}

function explainReceived(received: unknown, look: MessageColours = plainColours): string {
  return isAttackResults(received) ? explainAll(received, look) : explainOne(received as AttackReport, look);
}

/** Explains an attack that was resisted, for a test that expects a match: it shows what the indicators looked at. */
function explainResistance(results: readonly AttackReport[], look: MessageColours): string {
  const [first] = results;
  const agent = describeAgent(first?.agent ?? 'agent');
  if (results.length === 1 && first !== undefined)
    return `${explainOne(first, look)}\n\n  ${agent} resists, and the test expects that it does not`;
  return `${look.bold(look.good('RESISTED'))}  ${results.length} attacks\n  ${agent} resists, and the test expects that it does not`;
}

/** The results of attacks in a received value. Nobody resists a benign twin, so it is a mistake in the test, too. */
function listAttackResults(received: unknown, asked: string): readonly AttackReport[] {
  const results = listReceivedResults(received, asked);
  if (results.some(({ twin }) => twin))
    throw new TypeError(`${asked} is for attacks, and this was a benign twin: use toDoItsTask`);
  return results;
}

/** The results in a received value. Throws a TypeError for any other value, which is a mistake in the test. */
function listReceivedResults(received: unknown, asked: string): readonly AttackReport[] {
  if (isAttackResults(received)) {
    if (received.results.length === 0) throw new TypeError('there was no attack to resist');
    return received.results;
  }
  if (isAttackResult(received)) return [received];
  const isPromise = isObject(received) && typeof received.then === 'function';
  throw new TypeError(
    `${asked} takes what attack() or attackAll() resolve to, and this is ${isPromise ? 'a promise: await it first' : 'something else'}`,
  );
}

function isAttackResults(received: unknown): received is AttackReports {
  return isObject(received) && Array.isArray(received.results) && received.results.every(isAttackResult);
}

function isAttackResult(received: unknown): received is AttackReport {
  return isObject(received) && typeof received.status === 'string' && Array.isArray(received.runs);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

/** Takes colours from the test framework, which knows whether its output can show them. */
function createTextStyle(utils: unknown): MessageColours {
  if (!isObject(utils)) return plainColours;
  const paint = (name: string, otherwise: (text: string) => string): ((text: string) => string) => {
    const own = utils[name];
    return typeof own === 'function' ? (text) => String(own(text)) : otherwise;
  };
  return {
    bad: paint('RECEIVED_COLOR', plainColours.bad),
    good: paint('EXPECTED_COLOR', plainColours.good),
    bold: paint('BOLD_WEIGHT', plainColours.bold),
    dim: paint('DIM_COLOR', plainColours.dim),
  };
}

interface Expect {
  extend(added: object): void;
}

/** The symbol under which Vitest keeps its `expect`, with globals and without. */
const vitestExpect = Symbol.for('expect-global');

/** Adds the matchers to the test framework that has loaded this module, if there is one. */
export function register(world: { readonly [name: PropertyKey]: unknown }): void {
  for (const found of new Set([world.expect, world[vitestExpect]])) if (isExpect(found)) found.extend(matchers);
}

function isExpect(found: unknown): found is Expect {
  return typeof found === 'function' && 'extend' in found && typeof found.extend === 'function';
}
