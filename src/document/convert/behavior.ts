import { isMap, type YAMLMap } from 'yaml';
import type { Value } from '../../model/value.ts';
import { wireKey } from '../../model/wire.ts';
import { parseDuration } from '../../primitives/parse-duration.ts';
import { listAt, mapAt, nodeOf, type Rewriting, type RewrittenMapping, tell, textAt } from './change.ts';

// Rewrites how ThoughtJack delivers answers, and its side effects, as rules of `x-wire`.

type Given = { readonly [name: string]: Value };
type Deeds = { readonly [deed: string]: Value } | undefined;

const ms = (value: Value | undefined, otherwise: number): string =>
  `${typeof value === 'number' && value >= 0 ? Math.round(value) : otherwise}ms`;
const number = (value: Value | undefined, otherwise: number): number =>
  typeof value === 'number' && value > 0 ? value : otherwise;

/** The ways to deliver an answer. Some have a second name, which ThoughtJack's documentation uses. */
const deliveries: { readonly [delivery: string]: (given: Given) => Deeds } = {
  normal: () => ({}),
  delayed: ({ delay_ms }) => ({ delay: ms(delay_ms, 1_000) }),
  response_delay: ({ delay_ms }) => ({ delay: ms(delay_ms, 1_000) }),
  slow_stream: ({ byte_delay_ms }) => ({ pace: { bytes: 1, every: ms(byte_delay_ms, 50) } }),
  slow_loris: ({ byte_delay_ms, chunk_size }) => ({
    pace: { bytes: number(chunk_size, 1), every: ms(byte_delay_ms, 100) },
  }),
};

/** The side effects. */
const effects: { readonly [effect: string]: (given: Given) => Deeds } = {
  notification_flood: (given) => ({ flood: floodOf(given) }),
  connection_reset: () => ({ end: { by: 'reset', when: 'before' } }),
  close_connection: ({ graceful }) => ({
    end: { by: graceful === false ? 'reset' : 'close', when: 'before' },
  }),
  // ThoughtJack's extra answers say no more than `collision`. Here the answer itself is repeated.
  duplicate_request_ids: () => ({ repeat: 2 }),
  id_collision: ({ count }) => ({ repeat: Math.min(1_000, number(count, 1) + 1) }),
};

const mostFlood = 10_000;

/** ThoughtJack limits a flood by time. Here it has a count. */
function floodOf({ method, rate, rate_per_second, duration, duration_ms, count }: Given): Value {
  const perSecond = number(rate ?? rate_per_second, 10);
  const seconds = typeof duration === 'string' ? parseDuration(duration) : undefined;
  const lasts = typeof seconds === 'number' ? seconds : number(duration_ms, 1_000) / 1_000;
  return {
    method: typeof method === 'string' ? method : 'notifications/message',
    params: { level: 'info', data: 'flood' },
    count: Math.min(mostFlood, number(count, Math.max(1, Math.round(perSecond * lasts)))),
    every: `${Math.max(1, Math.floor(1_000 / perSecond))}ms`,
  };
}

/** Turns `behavior` of a state into one rule of its phase, for every answer. */
export function rewriteBehavior(
  rewriting: Rewriting,
  phase: RewrittenMapping,
  { map, path }: RewrittenMapping,
): void {
  const behavior = mapAt(map, 'behavior');
  if (behavior === undefined) return;
  const here = [...path, 'behavior'];
  const wanted = wantedIn(behavior);
  const unknown = wanted.flatMap(({ name, deeds }) => (deeds === undefined ? [name] : []));
  if (unknown.length > 0) {
    const message = `write a rule of \`x-wire\` for this: ${unknown.join(', ')}`;
    tell(rewriting, 'left', here, behavior, message);
    return;
  }
  map.delete('behavior');
  const deeds = Object.assign({}, ...wanted.map((each) => each.deeds)) as { readonly [deed: string]: Value };
  if (Object.keys(deeds).length === 0) {
    tell(rewriting, 'rewritten', here, behavior, 'answers are whole and at once anyway');
    return;
  }
  const rule = nodeOf(rewriting, { on: '*', ...deeds });
  const rules = listAt(phase.map, wireKey);
  if (rules === undefined) phase.map.set(wireKey, nodeOf(rewriting, [{ on: '*', ...deeds }]));
  else rules.add(rule);
  tell(rewriting, 'rewritten', here, behavior, 'it is a rule of `x-wire`, an extension of this tool');
}

interface Wanted {
  readonly name: string;
  readonly deeds: Deeds;
}

/** ThoughtJack's program reads a name and `parameters`. Its documentation has `type` with the parameters beside it. */
function wantedIn(behavior: YAMLMap): readonly Wanted[] {
  const delivery = mapAt(behavior, 'delivery');
  const name = delivery === undefined ? textAt(behavior, 'delivery') : textAt(delivery, 'type');
  const beside = listAt(behavior, 'side_effects')?.items ?? [];
  return [
    ...(name === undefined ? [] : [wantedOf(deliveries, name, delivery ?? behavior)]),
    ...beside.flatMap((effect) =>
      isMap(effect) ? [wantedOf(effects, textAt(effect, 'type') ?? 'an effect without a type', effect)] : [],
    ),
  ];
}

function wantedOf(table: typeof effects, name: string, node: YAMLMap): Wanted {
  const { parameters, ...flat } = node.toJSON() as Given;
  const given = { ...flat, ...(parameters as Given | undefined) };
  return { name, deeds: Object.hasOwn(table, name) ? table[name]?.(given) : undefined };
}
