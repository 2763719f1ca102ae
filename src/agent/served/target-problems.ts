import { compileJsonPath } from '../../expression/json-path.ts';
import type { Value } from '../../model/value.ts';
import { parseDuration } from '../../primitives/parse-duration.ts';
import { shownUrl } from '../../secrets/given.ts';
import { placeholdersIn } from '../placeholders.ts';
import { splitCommand } from '../split-command.ts';
import type { A2aTarget, AgUiTarget, Configure, HttpTarget, ServedTarget, Start } from '../targets.ts';
import { problemsOfHeaders } from './headers.ts';
import { openNames, unknownPlaceholder } from './open-names.ts';

// Problems of server targets, as far as they can be found without contacting the server.

const http = ['http:', 'https:'];
const withGrpc = [...http, 'grpc:', 'grpcs:'];

/** The first problem of a target that speaks AG-UI; undefined if it can be attacked. */
export function problemOfAgUi(target: AgUiTarget): string | undefined {
  return problemsOfAgUi(target)[0];
}

/** The first problem of a target that speaks A2A; undefined if it can be attacked. */
export function problemOfA2a(target: A2aTarget): string | undefined {
  return problemsOfA2a(target)[0];
}

/** The first problem of a target with its own JSON endpoint; undefined if it can be attacked. */
export function problemOfHttp(target: HttpTarget): string | undefined {
  return problemsOfHttp(target)[0];
}

/** Finds all problems of a target; each begins with the name of its field. */
export function problemsOfAgUi(target: AgUiTarget): readonly string[] {
  return told(urlProblem('agUi', target.agUi), ...servedProblems(target, openNames.run));
}

export function problemsOfA2a(target: A2aTarget): readonly string[] {
  return told(urlProblem('a2a', target.a2a, withGrpc), ...servedProblems(target, openNames.run));
}

export function problemsOfHttp(target: HttpTarget): readonly string[] {
  return told(
    urlProblem('http', target.http),
    methodProblem('method', target.method),
    bodyProblem(target.body),
    answerProblem(target.answer),
    ...servedProblems(target, openNames.turnHeaders),
  );
}

function told(...problems: readonly (string | undefined)[]): readonly string[] {
  return problems.filter((problem) => problem !== undefined);
}

function servedProblems(
  { headers, start, configure }: ServedTarget,
  known: (typeof openNames)['run' | 'turnHeaders'],
): readonly string[] {
  return [
    ...problemsOfHeaders(headers, 'headers', known),
    ...(start === undefined ? [] : startProblems(start)),
    ...(configure === undefined ? [] : configureProblems(configure)),
  ];
}

function urlProblem(where: string, url: string, protocols = http): string | undefined {
  if (url.includes('{{')) return `${where}: a URL cannot have placeholders; headers and bodies can`;
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return undefined;
  return `${where}: "${shownUrl(url)}" is no ${protocols.map((each) => `${each}//`).join(' or ')} URL`;
}

const methods = ['POST', 'PUT', 'PATCH'];

function methodProblem(where: string, method: string | undefined): string | undefined {
  if (method === undefined || methods.includes(method)) return undefined;
  return `${where}: "${method}" is not one of ${methods.join(', ')}`;
}

/** The placeholders that carry the user's words. */
const carriers = ['prompt', 'messages', 'input'];

function bodyProblem(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const unknown = unknownPlaceholder(body as Value, openNames.turn);
  if (unknown !== undefined) return `body: ${unknown}`;
  if (placeholdersIn(body as Value).some((name) => carriers.includes(name))) return undefined;
  return 'body: it has none of {{prompt}}, {{messages}} and {{input}}, so the prompt would not reach the agent';
}

function answerProblem(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const compiled = compileJsonPath(path);
  if (!('failure' in compiled)) return undefined;
  return `answer: ${JSON.stringify(path)} is not an RFC 9535 path such as $.answer: ${compiled.failure}`;
}

function startProblems({ command, env = {}, health, timeout }: Start): readonly string[] {
  return told(
    startCommandProblem(command),
    ...Object.entries(env).map(([name, value]) => {
      const open = unknownPlaceholder(value, openNames.start);
      return open && `start.env.${name}: ${open}`;
    }),
    health === undefined ? undefined : urlProblem('start.health', health),
    timeoutProblem(timeout),
  );
}

function startCommandProblem(command: Start['command']): string | undefined {
  const split = typeof command === 'string' ? splitCommand(command) : { ok: true as const, words: command };
  if (!split.ok) return `start.command: ${split.problem}; quote it, or let a shell do it: sh -c "…"`;
  if ((split.words[0] ?? '').trim() === '') return 'start.command: there is no program in it';
  const unknown = unknownPlaceholder(command as Value, openNames.start);
  return unknown && `start.command: ${unknown}`;
}

function timeoutProblem(timeout: string | undefined): string | undefined {
  if (timeout === undefined) return undefined;
  const seconds = parseDuration(timeout);
  if (typeof seconds !== 'number') return `start.timeout: ${seconds.message}; ${seconds.hint}`;
  return seconds === 0 ? 'start.timeout: it must be longer than zero; the default is 30s' : undefined;
}

function configureProblems({ url, method, headers, body }: Configure): readonly string[] {
  const unknown = body === undefined ? undefined : unknownPlaceholder(body as Value, openNames.run);
  return told(
    urlProblem('configure.url', url),
    methodProblem('configure.method', method),
    ...problemsOfHeaders(headers, 'configure.headers', openNames.run),
    unknown && `configure.body: ${unknown}`,
  );
}
