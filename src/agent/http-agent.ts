import { compileJsonPath, type JsonPath } from '../expression/json-path.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { readJson } from '../transport/json-text.ts';
import { shownUrl } from '../transport/secrets.ts';
import type { AgentUnderTest } from './agent.ts';
import { chatMessages } from './llm/chat-messages.ts';
import { fillValue, firstOf, type Lookup, placeholdersIn } from './placeholders.ts';
import { type Carries, promptVoice, type Said, type Turn } from './prompt-voice.ts';
import { filledHeaders } from './served/headers.ts';
import { Host, type Visit } from './served/host.ts';
import { askOverHttp } from './served/http-exchange.ts';
import { filledAt } from './served/open-names.ts';
import type { HttpTarget, TargetContext } from './targets.ts';

export { problemOfHttp } from './served/target-problems.ts';

const usualBody: ValueMap = { prompt: '{{prompt}}' };
const maxDepth = 512;

/** A server with a JSON endpoint of its own: a request for each turn, and the answer somewhere in the response. */
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
    speaks: ['ag_ui'],
    isTold,
    isOneAtATime,
    prompt,
    launch: (briefing) =>
      host.launch(briefing, (visit) => {
        checkFilled(target, body, visit.lookup);
        const { voice, missed } = promptVoice(carriedBy(body), (turn) => say(turn, visit));
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
    if (!outcome.ok)
      throw new Error(outcome.why === 'broken' ? await explained(outcome.reason) : outcome.reason);
    return { text: path === undefined ? outcome.body.toString('utf8') : textAt(path, outcome) };
  }

  function textAt(
    find: JsonPath,
    { body: bytes, type }: { readonly body: Buffer; readonly type: string },
  ): string {
    const read = readJson(bytes, maxDepth);
    if (!read.ok) throw new Error(`its answer (${type}) is ${read.reason}`);
    const found = find(read.value);
    if (found === undefined) throw new Error(`its answer has nothing at ${answer}`);
    return typeof found === 'string' ? found : found === null ? '' : JSON.stringify(found);
  }
}

function compiled(answer: string): JsonPath {
  const path = compileJsonPath(answer);
  if ('failure' in path) throw new Error(`answer: ${path.failure}`);
  return path;
}

/** As much of a run input as the body has room for. */
function carriedBy(body: Value): Carries {
  const open = placeholdersIn(body);
  return open.includes('input') ? 'input' : open.includes('messages') ? 'messages' : 'prompt';
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

/** As in the prompt, what the application passes along stands before what the user says. */
function withApplication({ messages, application }: Turn): Turn['messages'] {
  if (application === '') return messages;
  const last = messages.at(-1);
  return last?.role === 'user'
    ? [...messages.slice(0, -1), { ...last, content: `${application}\n\n${last.content}` }]
    : [...messages, { role: 'user', content: application }];
}

/** What no turn can fill is told before the first. */
function checkFilled({ headers }: HttpTarget, body: Value, lookup: Lookup): void {
  const later = firstOf(lookup, (name) => (turnNames.has(name) ? '' : undefined));
  filledHeaders(headers, later);
  filledAt('body', body, later, () => fillValue(body, later));
}

const turnNames = new Set(['prompt', 'messages', 'input', 'thread']);
