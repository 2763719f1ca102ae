import type { Endpoint } from '../../../engine/ports.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../model/normalized.ts';
import { isValueMap, type Value } from '../../../model/value.ts';
import { isClientMode, noticeOf, userMode } from '../../../registry/modes.ts';
import { visible } from '../../../report/visible.ts';
import { pad } from '../../../report/width.ts';
import type { Sink } from '../../io.ts';

type Endpoints = ReadonlyMap<string, Endpoint>;

interface Asked {
  /** The prompt for the agent, if no actor gives one. */
  readonly prompt?: string | undefined;
  /** Whether the operator can end the run at the terminal. */
  readonly hasOperator: boolean;
}

/** Tells an operator how to bring an agent in: where to connect it, and what to say to it. */
export function invitation(
  document: NormalizedDocument,
  endpoints: Endpoints,
  skipped: readonly NormalizedActor[],
  { colours }: Sink,
  { prompt, hasOperator }: Asked,
): string {
  const { actors } = document.attack.execution;
  const sections: string[] = [];
  const rows = actors.flatMap(({ name, mode }) => {
    const url = endpoints.get(name)?.url;
    return url === undefined ? [] : [`  ${pad(visible(name), 12)}  ${visible(mode)}  ${colours.cyan(url)}\n`];
  });
  const [secret] = [...endpoints.values()].flatMap((endpoint) => endpoint.secret ?? []);
  const reach =
    secret === undefined ? 'on this machine only' : 'for anyone who knows the secret in their paths';
  if (rows.length > 0) sections.push(`${colours.bold('Endpoints')}, ${reach}\n${rows.join('')}`);
  const mcp = actors.filter(
    ({ name, mode }) => noticeOf(mode) === 'mcp_config' && endpoints.get(name)?.url.startsWith('http'),
  );
  if (mcp.length > 0)
    sections.push(`${colours.bold('Client configuration')}\n${clientConfiguration(mcp, endpoints)}`);
  const a2a = actors.flatMap(({ name, mode }) =>
    noticeOf(mode) === 'agent_card' ? (endpoints.get(name)?.url ?? []) : [],
  );
  if (a2a.length > 0)
    sections.push(`${colours.bold('Agent cards')}\n${a2a.map(cardLine).join('')}${grpcLine(secret)}`);
  const isSaid = actors.some(({ mode }) => mode === userMode);
  const words = [...skipped.flatMap(wordsOf), ...(prompt === undefined || isSaid ? [] : [prompt])];
  if (words.length > 0) sections.push(`${colours.bold('Say to the agent')}\n${words.map(quoted).join('')}`);
  const silent = skipped.filter((actor) => wordsOf(actor).length === 0);
  if (silent.length > 0) sections.push(silent.map((actor) => leftOut(actor, colours.yellow)).join(''));
  if (rows.length > 0) sections.push(colours.dim(waiting(hasOperator)));
  return `${sections.join('\n')}\n`;
}

function waiting(hasOperator: boolean): string {
  const done = hasOperator ? 'press Enter when it is done, ' : '';
  return `Waiting for an agent to connect; ${done}Ctrl-C breaks off\n`;
}

function cardLine(url: string): string {
  return `  ${new URL('.well-known/agent-card.json', url).href}\n`;
}

/** gRPC has no free choice of paths, so the secret goes into the metadata. */
function grpcLine(secret: string | undefined): string {
  return secret === undefined ? '' : `  over gRPC with the metadata authorization: Bearer ${secret}\n`;
}

/** Only the addresses, one line for each endpoint. */
export function endpointLines(endpoints: Endpoints): string {
  return [...endpoints].map(([name, { url }]) => `${visible(name)} ${url}\n`).join('');
}

/** The configuration format that MCP clients share. */
function clientConfiguration(actors: readonly NormalizedActor[], endpoints: Endpoints): string {
  const servers = actors.map(({ name }) => [name, { type: 'http', url: endpoints.get(name)?.url }]);
  return `${JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)}\n`;
}

function leftOut({ name, mode }: NormalizedActor, colour: (text: string) => string): string {
  const why = isClientMode(mode)
    ? `because it has no peer; --connect ${visible(name)}=TARGET gives it one`
    : `because nothing here plays ${visible(mode)} yet`;
  return `${colour('Left out')}: ${visible(name)}, ${why}\n`;
}

/** The user's messages of an AG-UI client. For an agent that does not speak AG-UI, the operator types them. */
function wordsOf({ mode, phases }: NormalizedActor): readonly string[] {
  if (mode !== userMode) return [];
  return phases.flatMap(({ state }) => {
    const input = isValueMap(state) ? state.run_agent_input : undefined;
    const messages = isValueMap(input) ? input.messages : undefined;
    return Array.isArray(messages) ? messages.flatMap(userText) : [];
  });
}

function userText(message: Value): readonly string[] {
  if (!isValueMap(message) || message.role !== 'user') return [];
  const { content } = message;
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  const parts = content.flatMap((part) =>
    isValueMap(part) && typeof part.text === 'string' ? part.text : [],
  );
  return parts.length === 0 ? [] : [parts.join('\n')];
}

function quoted(text: string): string {
  return `${visible(text.trimEnd(), '\n').replace(/^/gm, '  ')}\n`;
}
