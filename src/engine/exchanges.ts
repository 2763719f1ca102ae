import type { MessageRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import type { Asked, OpenExchange } from './actor.ts';
import { answerContent, type Recipient, type Unstamped } from './messages.ts';
import { extract, fillFor, messageRecord, setAsked, type Work, warn } from './work.ts';

/** Answers may come late, or from every session; this many asks are remembered for them. */
const mostRemembered = 1_000;

export function notify(
  work: Work,
  phase: number,
  target: Recipient,
  method: string,
  params: Value | undefined,
): void {
  const content = params ?? {};
  const record = messageRecord(work, phase, { kind: 'notification', origin: 'attacker', method, content });
  work.effects.push({ kind: 'notify', target, method, params, record });
  // §5.5: a request is a request whoever sends it, and so is a notification.
  extract(work, phase, content, 'request');
}

export function ask(
  work: Work,
  phase: number,
  target: Recipient,
  method: string,
  paramsOf: (ask: string) => Value | undefined,
  exchange?: OpenExchange,
): void {
  work.asks += 1;
  const key = `${work.context.program.name}-${work.asks}`;
  const params = paramsOf(key);
  const content = params ?? {};
  const record = messageRecord(work, phase, {
    kind: 'request',
    origin: 'attacker',
    method,
    id: key,
    content,
  });
  work.effects.push({ kind: 'ask', target, ask: key, method, params, record });
  extract(work, phase, content, 'request');
  const deadline = work.now + work.context.askMs;
  if (exchange !== undefined) work.effects.push({ kind: 'wake', at: deadline });
  remember(work, key, {
    method,
    params,
    phase,
    ...(exchange !== undefined && { waiting: { exchange, deadline } }),
  });
}

/** So that an answer that comes late is still known for what it answers. */
export function remember(work: Work, key: string, entry: Asked): void {
  const asked = setAsked(work, key, entry);
  if (asked.size <= mostRemembered) return;
  for (const [oldest, { waiting }] of asked)
    if (waiting === undefined) {
      asked.delete(oldest);
      return;
    }
}

export function forget(work: Work, key: string): void {
  if (!work.asked.has(key)) return;
  const asked = new Map(work.asked);
  asked.delete(key);
  work.asked = asked;
}

/** Carries a request's plan on. It is answered at the end, unless it has to wait for the peer; says which. */
export function carryOn(work: Work, exchange: OpenExchange): 'answered' | 'waiting' {
  const { plan, params, phase } = exchange;
  const target = { exchange: exchange.exchange };
  const fill = fillFor(work, phase, params);
  for (let index = exchange.step; index < plan.steps.length; index++) {
    const step = plan.steps[index];
    if (step?.kind === 'ask') {
      const rest = { ...exchange, step: index + 1 };
      ask(work, phase, target, step.method, (key) => step.params(fill, key), rest);
      return 'waiting';
    }
    if (step?.kind === 'part') part(work, exchange, step.content(fill));
    else if (step !== undefined) notify(work, phase, target, step.method, step.params(fill));
  }
  answer(work, exchange);
  return 'answered';
}

function answer(work: Work, exchange: OpenExchange): void {
  const { params, phase, plan } = exchange;
  const given = plan.answer(fillFor(work, phase, params));
  const content = answerContent(given);
  const record = recordOf(work, exchange, 'response', content);
  work.effects.push({ kind: 'answer', exchange: exchange.exchange, answer: given, record });
  extract(work, phase, content, 'response');
}

function part(work: Work, exchange: OpenExchange, content: Value): void {
  const record = recordOf(work, exchange, 'event', content);
  work.effects.push({ kind: 'part', exchange: exchange.exchange, content, record });
  extract(work, exchange.phase, content, 'response');
}

function recordOf(
  work: Work,
  { method, id, session, params, phase }: OpenExchange,
  kind: 'response' | 'event',
  content: Value,
): Unstamped<MessageRecord> {
  const request = params === undefined ? {} : { request: params };
  return messageRecord(work, phase, { kind, origin: 'attacker', method, content, id, session, ...request });
}

/** Requests whose peer has had its time to answer are carried on without. */
export function* giveUpWaiting(work: Work): Generator<OpenExchange> {
  for (const [key, entry] of work.asked) {
    const { waiting, ...rest } = entry;
    if (waiting === undefined || waiting.deadline > work.now) continue;
    setAsked(work, key, rest);
    warn(work, rest.phase, [
      {
        severity: 'warning',
        code: 'O-102',
        message: `${rest.method} was not answered in time; the call is answered without`,
      },
    ]);
    yield waiting.exchange;
  }
}
