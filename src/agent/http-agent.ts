import { compileJsonPaths } from '../expression/json-path.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { shownUrl } from '../secrets/given.ts';
import { NotThere, TurnedDown } from '../transport/http-failure.ts';
import type { AgentUnderTest } from './agent.ts';
import { chatMessages } from './conversation/chat-messages.ts';
import { lackedBy } from './left-out.ts';
import { fillValue, firstOf, type Lookup, placeholdersIn } from './placeholders.ts';
import { type Carries, promptVoice, type Said, type Turn } from './prompt-voice.ts';
import { filledHeaders } from './served/headers.ts';
import { Host, type Visit } from './served/host.ts';
import { type AnswerPath, wordsOf } from './served/http-answer.ts';
import { askOverHttp } from './served/http-exchange.ts';
import { filledAt } from './served/open-names.ts';
import type { HttpTarget, TargetContext } from './targets.ts';

export { problemOfHttp, problemsOfHttp } from './served/target-problems.ts';

const usualBody: ValueMap = { prompt: '{{prompt}}' };

/** A server with its own JSON endpoint: each turn is a request, and the answer is a value of the response. */
export function httpAgent(name: string, target: HttpTarget, context: TargetContext): AgentUnderTest {
  const { http: url, prompt, answer } = target;
  const body = (target.body ?? usualBody) as Value;
  const host = new Host({ target: { ...target, body }, url, context });
  const { isTold, isOneAtATime } = host;
  const path = answer === undefined ? undefined : compiled(answer);
  return {
    name,
    kind: 'http',
    place: shownUrl(url),
    remembers: true,
    speaks: ['ag_ui'],
    lacks: lackedBy(carriedBy(body)),
    isTold,
    isOneAtATime,
    prompt,
    launch: (briefing) =>
      host.launch(briefing, (visit) => {
        checkFilled(target, body, visit.lookup);
        const { voice, missed } = promptVoice({
          carries: () => carriedBy(body),
          remembers: remembersBy(target, body),
          say: (turn) => say(turn, visit),
        });
        return { doors: { ag_ui: voice }, missed };
      }),
    close: () => host.close(),
  };

  async function say(turn: Turn, { lookup, secrets, explained }: Visit): Promise<Said> {
    const filling = firstOf(ofTurn(turn), lookup);
    const outcome = await askOverHttp({
      method: target.method ?? 'POST',
      url,
      headers: filledHeaders(target.headers, filling),
      body: fillValue(body, filling),
      signal: turn.signal,
      secrets,
    });
    if (!outcome.ok) {
      const reason = outcome.why === 'broken' ? await explained(outcome.reason) : outcome.reason;
      if (outcome.isAbsent) throw new NotThere(reason);
      throw outcome.status === undefined ? new Error(reason) : new TurnedDown(reason, outcome.status);
    }
    return wordsOf(outcome, path);
  }
}

function compiled(source: string): AnswerPath {
  const find = compileJsonPaths(source);
  if ('failure' in find) throw new Error(`answer: ${find.failure}`);
  return { find, source };
}

/** How much of a run input the body has placeholders for. */
function carriedBy(body: Value): Carries {
  const open = placeholdersIn(body);
  return open.includes('input') ? 'input' : open.includes('messages') ? 'messages' : 'prompt';
}

/** An endpoint that receives the id of the conversation, or all of it, can know the earlier turns. */
function remembersBy({ headers = {} }: HttpTarget, body: Value): boolean {
  const open = placeholdersIn([body, headers]);
  return ['thread', 'messages', 'input'].some((name) => open.includes(name));
}

function ofTurn(turn: Turn): Lookup {
  return (name) => {
    switch (name) {
      case 'prompt':
        return turn.prompt;
      case 'messages':
        return chatMessages(withApplication(turn));
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
function withApplication({ messages, application }: Turn): Turn['messages'] {
  if (application === '') return messages;
  const last = messages.at(-1);
  return last?.role === 'user'
    ? [...messages.slice(0, -1), { ...last, content: `${application}\n\n${last.content}` }]
    : [...messages, { role: 'user', content: application }];
}

/** Checks placeholders that no turn can fill, before the first turn. */
function checkFilled({ headers }: HttpTarget, body: Value, lookup: Lookup): void {
  const later = firstOf(lookup, (name) => (turnNames.has(name) ? '' : undefined));
  filledHeaders(headers, later);
  filledAt('body', body, later, () => fillValue(body, later));
}

const turnNames = new Set(['prompt', 'messages', 'input', 'thread']);
