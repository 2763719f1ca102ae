import { compileJsonPath } from '../../expression/json-path.ts';
import type { Value } from '../../model/value.ts';
import { parseDuration } from '../../primitives/parse-duration.ts';
import { shownUrl } from '../../transport/secrets.ts';
import { placeholdersIn } from '../placeholders.ts';
import { splitCommand } from '../split-command.ts';
import type { A2aTarget, AgUiTarget, Configure, HttpTarget, ServedTarget, Start } from '../targets.ts';
import { headersProblem } from './headers.ts';
import { openNames, unknownPlaceholder } from './open-names.ts';

// What is wrong with a target that is a server, as far as that can be told without going there.

const http = ['http:', 'https:'];
const withGrpc = [...http, 'grpc:', 'grpcs:'];

export function problemOfAgUi(target: AgUiTarget): string | undefined {
  return urlProblem('agUi', target.agUi) ?? servedProblem(target, openNames.run);
}

export function problemOfA2a(target: A2aTarget): string | undefined {
  return urlProblem('a2a', target.a2a, withGrpc) ?? servedProblem(target, openNames.run);
}

export function problemOfHttp(target: HttpTarget): string | undefined {
  return (
    urlProblem('http', target.http) ??
    methodProblem('method', target.method) ??
    bodyProblem(target.body) ??
    answerProblem(target.answer) ??
    servedProblem(target, openNames.turnHeaders)
  );
}

function servedProblem(
  { headers, start, configure }: ServedTarget,
  known: (typeof openNames)['run' | 'turnHeaders'],
): string | undefined {
  return (
    headersProblem(headers, 'headers', known) ??
    (start && startProblem(start)) ??
    (configure && configureProblem(configure))
  );
}

function urlProblem(where: string, url: string, protocols = http): string | undefined {
  if (url.includes('{{')) return `${where}: a URL has no placeholders; headers and bodies have`;
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return undefined;
  return `${where}: "${shownUrl(url)}" is no ${protocols.map((each) => `${each}//`).join(' or ')} URL`;
}

const methods = ['POST', 'PUT', 'PATCH'];

function methodProblem(where: string, method: string | undefined): string | undefined {
  if (method === undefined || methods.includes(method)) return undefined;
  return `${where}: "${method}" is none of ${methods.join(', ')}`;
}

/** What carries the user's words. */
const carriers = ['prompt', 'messages', 'input'];

function bodyProblem(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const unknown = unknownPlaceholder(body as Value, openNames.turn);
  if (unknown !== undefined) return `body: ${unknown}`;
  if (placeholdersIn(body as Value).some((name) => carriers.includes(name))) return undefined;
  return 'body: it has none of {{prompt}}, {{messages}} and {{input}}, so the agent would not hear what its user says';
}

function answerProblem(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const compiled = compileJsonPath(path);
  if (!('failure' in compiled)) return undefined;
  return `answer: ${JSON.stringify(path)} is no RFC 9535 path such as $.answer: ${compiled.failure}`;
}

function startProblem({ command, env = {}, health, timeout }: Start): string | undefined {
  const split = typeof command === 'string' ? splitCommand(command) : { ok: true as const, words: command };
  if (!split.ok) return `start.command: ${split.problem}; quote it, or let a shell do it: sh -c "…"`;
  if ((split.words[0] ?? '') === '') return 'start.command: there is no program in it';
  const unknown = unknownPlaceholder(command as Value, openNames.start);
  if (unknown !== undefined) return `start.command: ${unknown}`;
  for (const [name, value] of Object.entries(env)) {
    const open = unknownPlaceholder(value, openNames.start);
    if (open !== undefined) return `start.env.${name}: ${open}`;
  }
  return (health === undefined ? undefined : urlProblem('start.health', health)) ?? timeoutProblem(timeout);
}

function timeoutProblem(timeout: string | undefined): string | undefined {
  if (timeout === undefined) return undefined;
  const seconds = parseDuration(timeout);
  if (typeof seconds !== 'number') return `start.timeout: ${seconds.message}; ${seconds.hint}`;
  return seconds === 0 ? 'start.timeout: a server needs some time; 30s if left out' : undefined;
}

function configureProblem({ url, method, headers, body }: Configure): string | undefined {
  const unknown = body === undefined ? undefined : unknownPlaceholder(body as Value, openNames.run);
  return (
    urlProblem('configure.url', url) ??
    methodProblem('configure.method', method) ??
    headersProblem(headers, 'configure.headers', openNames.run) ??
    (unknown && `configure.body: ${unknown}`)
  );
}
