import type { Endpoint } from '../../../attack/engine/ports.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { findNotice, isClientMode, userMode } from '../../../format/registry/known-modes.ts';
import { pad } from '../../../report/text-width.ts';
import type { Sink } from '../../io.ts';

type Endpoints = ReadonlyMap<string, Endpoint>;

interface InvitationOptions {
  /** The prompt for the agent, if no actor gives one. */
  readonly prompt?: string | undefined;
  /** Whether the operator can end the run at the terminal. */
  readonly hasOperator: boolean;
}

/** Tells an operator how to attack an agent: where to connect it, and which prompt to give it. */
export function formatInvitation(
  document: NormalizedDocument,
  endpoints: Endpoints,
  skipped: readonly NormalizedActor[],
  { colours }: Sink,
  { prompt, hasOperator }: InvitationOptions,
): string {
  const { actors } = document.attack.execution;
  const sections: string[] = [];
  const rows = actors.flatMap(({ name, mode }) => {
    const url = endpoints.get(name)?.url;
    return url === undefined
      ? []
      : [`  ${pad(escapeInvisible(name), 12)}  ${escapeInvisible(mode)}  ${colours.cyan(url)}\n`];
  });
  const [secret] = [...endpoints.values()].flatMap((endpoint) => endpoint.secret ?? []);
  const reach = secret === undefined ? 'on this machine only' : 'for anyone who knows the secret in their paths';
  if (rows.length > 0) sections.push(`${colours.bold('Endpoints')}, ${reach}\n${rows.join('')}`);
  const mcp = actors.filter(
    ({ name, mode }) => findNotice(mode) === 'mcp_config' && endpoints.get(name)?.url.startsWith('http'),
  );
  if (mcp.length > 0)
    sections.push(`${colours.bold('Client configuration')}\n${formatClientConfiguration(mcp, endpoints)}`);
  const a2a = actors.flatMap(({ name, mode }) =>
    findNotice(mode) === 'agent_card' ? (endpoints.get(name)?.url ?? []) : [],
  );
  if (a2a.length > 0)
    sections.push(`${colours.bold('Agent cards')}\n${a2a.map(formatCardLine).join('')}${formatGrpcLine(secret)}`);
  const isSaid = actors.some(({ mode }) => mode === userMode);
  const words = [...skipped.flatMap(collectUserWords), ...(prompt === undefined || isSaid ? [] : [prompt])];
  if (words.length > 0) sections.push(`${colours.bold('Say to the agent')}\n${words.map(indentQuotation).join('')}`);
  const silent = skipped.filter((actor) => collectUserWords(actor).length === 0);
  if (silent.length > 0) sections.push(silent.map((actor) => formatSkippedActor(actor, colours.yellow)).join(''));
  if (rows.length > 0) sections.push(colours.dim(formatWaiting(hasOperator)));
  return `${sections.join('\n')}\n`;
}

function formatWaiting(hasOperator: boolean): string {
  const done = hasOperator ? 'press Enter when it is done, ' : '';
  return `Waiting for an agent to connect; ${done}Ctrl-C breaks off\n`;
}

function formatCardLine(url: string): string {
  return `  ${new URL('.well-known/agent-card.json', url).href}\n`;
}

/** gRPC has no free choice of paths, so the secret goes into the metadata. */
function formatGrpcLine(secret: string | undefined): string {
  return secret === undefined ? '' : `  over gRPC with the metadata authorization: Bearer ${secret}\n`;
}

/** Only the addresses, one line for each endpoint. */
export function formatEndpoints(endpoints: Endpoints): string {
  return [...endpoints].map(([name, { url }]) => `${escapeInvisible(name)} ${url}\n`).join('');
}

/** The configuration format that MCP clients share. */
function formatClientConfiguration(actors: readonly NormalizedActor[], endpoints: Endpoints): string {
  const servers = actors.map(({ name }) => [name, { type: 'http', url: endpoints.get(name)?.url }]);
  return `${JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)}\n`;
}

function formatSkippedActor({ name, mode }: NormalizedActor, colour: (text: string) => string): string {
  const why = isClientMode(mode)
    ? `because it has no peer; --connect ${escapeInvisible(name)}=TARGET gives it one`
    : `because nothing here plays ${escapeInvisible(mode)} yet`;
  return `${colour('Left out')}: ${escapeInvisible(name)}, ${why}\n`;
}

/** The user's messages of an AG-UI client. For an agent that does not speak AG-UI, the operator types them. */
function collectUserWords({ mode, phases }: NormalizedActor): readonly string[] {
  if (mode !== userMode) return [];
  return phases.flatMap(({ state }) => {
    const input = isValueMap(state) ? state.run_agent_input : undefined;
    const messages = isValueMap(input) ? input.messages : undefined;
    return Array.isArray(messages) ? messages.flatMap(readUserText) : [];
  });
}

function readUserText(message: Value): readonly string[] {
  if (!isValueMap(message) || message.role !== 'user') return [];
  const { content } = message;
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  const parts = content.flatMap((part) => (isValueMap(part) && typeof part.text === 'string' ? part.text : []));
  return parts.length === 0 ? [] : [parts.join('\n')];
}

function indentQuotation(text: string): string {
  return `${escapeInvisible(text.trimEnd(), '\n').replace(/^/gm, '  ')}\n`;
}
