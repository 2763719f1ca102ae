import { AgentRefused, AgentUnreachable } from '../../attack/transport/http-failure.ts';
import { compileJsonPaths } from '../../format/expression/json-path.ts';
import type { Value, ValueMap } from '../../format/model/value.ts';
import { redactUrl } from '../../secrets/given-secrets.ts';
import type { AgentUnderTest } from './agent-under-test.ts';
import { toChatCompletions } from './conversation/chat-messages.ts';
import { chainLookups, fillValue, findPlaceholders, type Lookup } from './placeholders.ts';
import { type AgentTurn, type CarriedInput, createPromptVoice, type TurnAnswer } from './prompt-voice.ts';
import { type HttpAnswerPath, readHttpAnswer } from './served/http-answer.ts';
import { askOverHttp } from './served/http-exchange.ts';
import { fillAt } from './served/known-placeholders.ts';
import { fillHeaders } from './served/request-headers.ts';
import { type HostVisit, TargetHost } from './served/target-host.ts';
import type { HttpTarget, TargetContext } from './targets.ts';
import { listLackingKinds } from './turn-omissions.ts';

export { checkHttpTarget, findHttpProblems } from './served/served-target-problems.ts';

const usualBody: ValueMap = { prompt: '{{prompt}}' };

/** A server with its own JSON endpoint: each turn is a request, and the answer is a value of the response. */
export function httpAgent(name: string, target: HttpTarget, context: TargetContext): AgentUnderTest {
  const { http: url, prompt, answer } = target;
  const body = (target.body ?? usualBody) as Value;
  const host = new TargetHost({ target: { ...target, body }, url, context });
  const { isTold, isOneAtATime } = host;
  const path = answer === undefined ? undefined : compileAnswerPath(answer);
  return {
    name,
    kind: 'http',
    place: redactUrl(url),
    remembers: true,
    speaks: ['ag_ui'],
    lacks: listLackingKinds(findCarriedParts(body)),
    isTold,
    isOneAtATime,
    prompt,
    launch: (briefing) =>
      host.launch(briefing, (visit) => {
        checkFilled(target, body, visit.lookup);
        const { voice, missed } = createPromptVoice({
          carries: () => findCarriedParts(body),
          remembers: canRemember(target, body),
          say: (turn) => say(turn, visit),
        });
        return { addresses: { ag_ui: voice }, missed };
      }),
    close: () => host.close(),
  };

  async function say(turn: AgentTurn, { lookup, secrets, explained }: HostVisit): Promise<TurnAnswer> {
    const filling = chainLookups(createTurnLookup(turn), lookup);
    const outcome = await askOverHttp({
      method: target.method ?? 'POST',
      url,
      headers: fillHeaders(target.headers, filling),
      body: fillValue(body, filling),
      signal: turn.signal,
      secrets,
    });
    if (!outcome.ok) {
      const reason = outcome.why === 'broken' ? await explained(outcome.reason) : outcome.reason;
      if (outcome.isAbsent) throw new AgentUnreachable(reason);
      throw outcome.status === undefined ? new Error(reason) : new AgentRefused(reason, outcome.status);
    }
    return readHttpAnswer(outcome, path);
  }
}

function compileAnswerPath(source: string): HttpAnswerPath {
  const find = compileJsonPaths(source);
  if ('failure' in find) throw new Error(`answer: ${find.failure}`);
  return { find, source };
}

/** How much of a run input the body has placeholders for. */
function findCarriedParts(body: Value): CarriedInput {
  const open = findPlaceholders(body);
  return open.includes('input') ? 'input' : open.includes('messages') ? 'messages' : 'prompt';
}

/** An endpoint that receives the id of the conversation, or all of it, can know the earlier turns. */
function canRemember({ headers = {} }: HttpTarget, body: Value): boolean {
  const open = findPlaceholders([body, headers]);
  return ['thread', 'messages', 'input'].some((name) => open.includes(name));
}

function createTurnLookup(turn: AgentTurn): Lookup {
  return (name) => {
    switch (name) {
      case 'prompt':
        return turn.prompt;
      case 'messages':
        return toChatCompletions(addApplication(turn));
      case 'input':
        return turn.input;
      case 'thread':
        return turn.thread;
      default:
        return undefined;
    }
  };
}

/** The text that the application passes on comes before the user's words, as in the prompt. */
function addApplication({ messages, application }: AgentTurn): AgentTurn['messages'] {
  if (application === '') return messages;
  const last = messages.at(-1);
  return last?.role === 'user'
    ? [...messages.slice(0, -1), { ...last, content: `${application}\n\n${last.content}` }]
    : [...messages, { role: 'user', content: application }];
}

/** Checks placeholders that no turn can fill, before the first turn. */
function checkFilled({ headers }: HttpTarget, body: Value, lookup: Lookup): void {
  const later = chainLookups(lookup, (name) => (turnNames.has(name) ? '' : undefined));
  fillHeaders(headers, later);
  fillAt('body', body, later, () => fillValue(body, later));
}

const turnNames = new Set(['prompt', 'messages', 'input', 'thread']);
