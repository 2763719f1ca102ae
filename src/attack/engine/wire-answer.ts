import type { WireRule } from '../../format/extensions/read-wire.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import type { OpenExchange } from './actor.ts';
import type { Answer } from './actor-messages.ts';
import type { Fill, PageKeys } from './binding.ts';

// Applies a rule to the content of an answer, before it is sent.

/** An answer as a rule wants it; `isOther` says that nothing of the original answer is left in it. */
interface RuledAnswer {
  readonly answer: Answer;
  readonly isOther: boolean;
  /** The actions of the rule that could not be carried out. */
  readonly unapplied?: readonly string[];
}

export function applyRuleToAnswer(
  answer: Answer,
  {
    rule,
    fill,
    keys,
    exchange,
  }: {
    readonly rule: WireRule;
    readonly fill: Fill;
    readonly keys: PageKeys | undefined;
    readonly exchange: Pick<OpenExchange, 'method' | 'params'>;
  },
): RuledAnswer {
  const { error, pages } = rule.actions;
  if (error !== undefined)
    return { answer: { kind: 'error', error: fill(error) }, isOther: true, unapplied: ['pages'] };
  if (pages === undefined) return { answer, isOther: false };
  const unpaged = { answer, isOther: false, unapplied: ['pages'] };
  const isList = exchange.method.endsWith('/list');
  if (keys === undefined || !isList || answer.kind === 'error' || !isValueMap(answer.result)) return unpaged;
  const page = readPage(exchange.params, keys.asked);
  if (pages !== true && !(typeof pages === 'number' && page < pages)) return unpaged;
  const result = { ...answer.result, [keys.next]: `page-${page + 1}` };
  return { answer: { kind: 'result', result }, isOther: false };
}

/** The page that a request asks for; a request for the first page has no token. */
function readPage(params: Value | undefined, key: string): number {
  const token = isValueMap(params) ? params[key] : undefined;
  const [, page] = /^page-(\d{1,9})$/.exec(String(token)) ?? [];
  return page === undefined ? 1 : Number(page);
}

/** Tells whether a rule drops a message. */
export function isDropped({ actions }: WireRule): boolean {
  return actions.drop === true;
}
