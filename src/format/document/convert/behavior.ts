import { isMap, type YAMLMap } from 'yaml';
import { wireKey } from '../../model/extension-keys.ts';
import type { Value } from '../../model/value.ts';
import { parseDuration } from '../../primitives/parse-duration.ts';
import { createNode, getText, listAt, mapAt, type Rewriting, type RewrittenMapping, recordChange } from './change.ts';

// Rewrites how ThoughtJack delivers answers, and its side effects, as rules of `x-wire`.

type BehaviorParameters = { readonly [name: string]: Value };
type WireActions = { readonly [action: string]: Value } | undefined;

const formatMs = (value: Value | undefined, otherwise: number): string =>
  `${typeof value === 'number' && value >= 0 ? Math.round(value) : otherwise}ms`;
const readPositive = (value: Value | undefined, otherwise: number): number =>
  typeof value === 'number' && value > 0 ? value : otherwise;

/** The ways to deliver an answer. Some have a second name, which ThoughtJack's documentation uses. */
const deliveries: { readonly [delivery: string]: (given: BehaviorParameters) => WireActions } = {
  normal: () => ({}),
  delayed: ({ delay_ms }) => ({ delay: formatMs(delay_ms, 1_000) }),
  response_delay: ({ delay_ms }) => ({ delay: formatMs(delay_ms, 1_000) }),
  slow_stream: ({ byte_delay_ms }) => ({ pace: { bytes: 1, every: formatMs(byte_delay_ms, 50) } }),
  slow_loris: ({ byte_delay_ms, chunk_size }) => ({
    pace: { bytes: readPositive(chunk_size, 1), every: formatMs(byte_delay_ms, 100) },
  }),
};

const effects: { readonly [effect: string]: (given: BehaviorParameters) => WireActions } = {
  notification_flood: (given) => ({ flood: convertFlood(given) }),
  connection_reset: () => ({ end: { by: 'reset', when: 'before' } }),
  close_connection: ({ graceful }) => ({
    end: { by: graceful === false ? 'reset' : 'close', when: 'before' },
  }),
  // ThoughtJack's extra answers say no more than `collision`. Here the answer itself is repeated.
  duplicate_request_ids: () => ({ repeat: 2 }),
  id_collision: ({ count }) => ({ repeat: Math.min(1_000, readPositive(count, 1) + 1) }),
};

const mostFlood = 10_000;

/** ThoughtJack limits a flood by time. Here it has a count. */
function convertFlood({ method, rate, rate_per_second, duration, duration_ms, count }: BehaviorParameters): Value {
  const perSecond = readPositive(rate ?? rate_per_second, 10);
  const seconds = typeof duration === 'string' ? parseDuration(duration) : undefined;
  const lasts = typeof seconds === 'number' ? seconds : readPositive(duration_ms, 1_000) / 1_000;
  return {
    method: typeof method === 'string' ? method : 'notifications/message',
    params: { level: 'info', data: 'flood' },
    count: Math.min(mostFlood, readPositive(count, Math.max(1, Math.round(perSecond * lasts)))),
    every: `${Math.max(1, Math.floor(1_000 / perSecond))}ms`,
  };
}

/** Turns `behavior` of a state into one rule of its phase, for every answer. */
export function rewriteBehavior(rewriting: Rewriting, phase: RewrittenMapping, { map, path }: RewrittenMapping): void {
  const behavior = mapAt(map, 'behavior');
  if (behavior === undefined) return;
  const here = [...path, 'behavior'];
  const wanted = readBehaviors(behavior);
  const unknown = wanted.flatMap(({ name, actions }) => (actions === undefined ? [name] : []));
  if (unknown.length > 0) {
    const message = `write a rule of \`x-wire\` for this: ${unknown.join(', ')}`;
    recordChange(rewriting, 'left', here, behavior, message);
    return;
  }
  map.delete('behavior');
  const actions = Object.assign({}, ...wanted.map((each) => each.actions)) as { readonly [action: string]: Value };
  if (Object.keys(actions).length === 0) {
    recordChange(rewriting, 'rewritten', here, behavior, 'answers are whole and at once anyway');
    return;
  }
  const rule = createNode(rewriting, { on: '*', ...actions });
  const rules = listAt(phase.map, wireKey);
  if (rules === undefined) phase.map.set(wireKey, createNode(rewriting, [{ on: '*', ...actions }]));
  else rules.add(rule);
  recordChange(rewriting, 'rewritten', here, behavior, 'it is a rule of `x-wire`, an extension of this tool');
}

interface WantedBehavior {
  readonly name: string;
  readonly actions: WireActions;
}

/** ThoughtJack's program reads a name and `parameters`. Its documentation has `type` with the parameters beside it. */
function readBehaviors(behavior: YAMLMap): readonly WantedBehavior[] {
  const delivery = mapAt(behavior, 'delivery');
  const name = delivery === undefined ? getText(behavior, 'delivery') : getText(delivery, 'type');
  const beside = listAt(behavior, 'side_effects')?.items ?? [];
  return [
    ...(name === undefined ? [] : [readBehavior(deliveries, name, delivery ?? behavior)]),
    ...beside.flatMap((effect) =>
      isMap(effect) ? [readBehavior(effects, getText(effect, 'type') ?? 'an effect without a type', effect)] : [],
    ),
  ];
}

function readBehavior(table: typeof effects, name: string, node: YAMLMap): WantedBehavior {
  const { parameters, ...flat } = node.toJSON() as BehaviorParameters;
  const given = { ...flat, ...(parameters as BehaviorParameters | undefined) };
  return { name, actions: Object.hasOwn(table, name) ? table[name]?.(given) : undefined };
}
