import { compileJsonPath } from '../../../format/expression/json-path.ts';
import type { Value } from '../../../format/model/value.ts';
import { parseDuration } from '../../../format/primitives/parse-duration.ts';
import { redactUrl } from '../../../secrets/given-secrets.ts';
import { findPlaceholders } from '../placeholders.ts';
import { splitCommand } from '../split-command.ts';
import type { A2aTarget, AgUiTarget, Configure, HttpTarget, ServedTarget, Start } from '../targets.ts';
import { describeUnknownPlaceholder, openNames } from './known-placeholders.ts';
import { findHeaderProblems } from './request-headers.ts';

// Problems of server targets, as far as they can be found without contacting the server.

const http = ['http:', 'https:'];
const withGrpc = [...http, 'grpc:', 'grpcs:'];

/** The first problem of a target that speaks AG-UI; undefined if it can be attacked. */
export function checkAgUiTarget(target: AgUiTarget): string | undefined {
  return findAgUiProblems(target)[0];
}

/** The first problem of a target that speaks A2A; undefined if it can be attacked. */
export function checkA2aTarget(target: A2aTarget): string | undefined {
  return findA2aProblems(target)[0];
}

/** The first problem of a target with its own JSON endpoint; undefined if it can be attacked. */
export function checkHttpTarget(target: HttpTarget): string | undefined {
  return findHttpProblems(target)[0];
}

/** Finds all problems of a target; each begins with the name of its field. */
export function findAgUiProblems(target: AgUiTarget): readonly string[] {
  return dropMissing(findUrlProblem('agUi', target.agUi), ...findServedProblems(target, openNames.run));
}

export function findA2aProblems(target: A2aTarget): readonly string[] {
  return dropMissing(findUrlProblem('a2a', target.a2a, withGrpc), ...findServedProblems(target, openNames.run));
}

export function findHttpProblems(target: HttpTarget): readonly string[] {
  return dropMissing(
    findUrlProblem('http', target.http),
    findMethodProblem('method', target.method),
    findBodyProblem(target.body),
    findAnswerPathProblem(target.answer),
    ...findServedProblems(target, openNames.turnHeaders),
  );
}

function dropMissing(...problems: readonly (string | undefined)[]): readonly string[] {
  return problems.filter((problem) => problem !== undefined);
}

function findServedProblems(
  { headers, start, configure }: ServedTarget,
  known: (typeof openNames)['run' | 'turnHeaders'],
): readonly string[] {
  return [
    ...findHeaderProblems(headers, 'headers', known),
    ...(start === undefined ? [] : findStartProblems(start)),
    ...(configure === undefined ? [] : findConfigureProblems(configure)),
  ];
}

function findUrlProblem(where: string, url: string, protocols = http): string | undefined {
  if (url.includes('{{')) return `${where}: a URL cannot have placeholders; headers and bodies can`;
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return undefined;
  return `${where}: "${redactUrl(url)}" is no ${protocols.map((each) => `${each}//`).join(' or ')} URL`;
}

const methods = ['POST', 'PUT', 'PATCH'];

function findMethodProblem(where: string, method: string | undefined): string | undefined {
  if (method === undefined || methods.includes(method)) return undefined;
  return `${where}: "${method}" is not one of ${methods.join(', ')}`;
}

/** The placeholders that carry the user's words. */
const carriers = ['prompt', 'messages', 'input'];

function findBodyProblem(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const unknown = describeUnknownPlaceholder(body as Value, openNames.turn);
  if (unknown !== undefined) return `body: ${unknown}`;
  if (findPlaceholders(body as Value).some((name) => carriers.includes(name))) return undefined;
  return 'body: it has none of {{prompt}}, {{messages}} and {{input}}, so the prompt would not reach the agent';
}

function findAnswerPathProblem(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const compiled = compileJsonPath(path);
  if (!('failure' in compiled)) return undefined;
  return `answer: ${JSON.stringify(path)} is not an RFC 9535 path such as $.answer: ${compiled.failure}`;
}

function findStartProblems({ command, env = {}, health, timeout }: Start): readonly string[] {
  return dropMissing(
    findStartCommandProblem(command),
    ...Object.entries(env).map(([name, value]) => {
      const open = describeUnknownPlaceholder(value, openNames.start);
      return open && `start.env.${name}: ${open}`;
    }),
    health === undefined ? undefined : findUrlProblem('start.health', health),
    findTimeoutProblem(timeout),
  );
}

function findStartCommandProblem(command: Start['command']): string | undefined {
  const split = typeof command === 'string' ? splitCommand(command) : { ok: true as const, words: command };
  if (!split.ok) return `start.command: ${split.problem}; quote it, or let a shell do it: sh -c "…"`;
  if ((split.words[0] ?? '').trim() === '') return 'start.command: there is no program in it';
  const unknown = describeUnknownPlaceholder(command as Value, openNames.start);
  return unknown && `start.command: ${unknown}`;
}

function findTimeoutProblem(timeout: string | undefined): string | undefined {
  if (timeout === undefined) return undefined;
  const seconds = parseDuration(timeout);
  if (typeof seconds !== 'number') return `start.timeout: ${seconds.message}; ${seconds.hint}`;
  return seconds === 0 ? 'start.timeout: it must be longer than zero; the default is 30s' : undefined;
}

function findConfigureProblems({ url, method, headers, body }: Configure): readonly string[] {
  const unknown = body === undefined ? undefined : describeUnknownPlaceholder(body as Value, openNames.run);
  return dropMissing(
    findUrlProblem('configure.url', url),
    findMethodProblem('configure.method', method),
    ...findHeaderProblems(headers, 'configure.headers', openNames.run),
    unknown && `configure.body: ${unknown}`,
  );
}
