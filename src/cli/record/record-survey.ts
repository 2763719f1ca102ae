import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { version } from '../version.ts';
import type { AskedPeer, PeerReply } from './asked-peer.ts';
import type { Recording } from './recorded-exchange.ts';

// The requests that we send to a server when no agent uses it.

export interface SurveyRequest {
  readonly calls: readonly { readonly name: string; readonly arguments: Value }[];
  /** Whether listed resources are read, and prompts without required arguments fetched. */
  readonly reads: boolean;
  /** The messages for an A2A agent. */
  readonly says: readonly string[];
}

/** Limits a list that never ends. */
const mostPages = 50;
const mostReads = 200;

const lists = [
  ['tools', 'tools/list', 'tools'],
  ['resources', 'resources/list', 'resources'],
  ['resources', 'resources/templates/list', 'resourceTemplates'],
  ['prompts', 'prompts/list', 'prompts'],
] as const;

/** Surveys an MCP server. Returns the reason if there is nothing to write. */
export async function surveyMcpServer(
  peer: AskedPeer,
  recording: Recording,
  wanted: SurveyRequest,
): Promise<string | undefined> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'oatf-record', version },
  };
  const opened = await peer.ask('initialize', params);
  if (opened.kind !== 'result') return `the server did not introduce itself: ${describeFailedReply(opened)}`;
  keep(recording, 'initialize', params, opened);
  peer.notify('notifications/initialized');
  const capabilities = isValueMap(opened.result) ? opened.result.capabilities : undefined;
  for (const [capability, method, key] of lists)
    if (isValueMap(capabilities) && capabilities[capability] !== undefined) await listAll(peer, recording, method, key);
  if (wanted.reads) await readAll(peer, recording);
  for (const call of wanted.calls) await askAndKeep(peer, recording, 'tools/call', { ...call });
  return undefined;
}

export async function surveyA2aAgent(
  peer: AskedPeer,
  recording: Recording,
  wanted: SurveyRequest,
): Promise<string | undefined> {
  const card = await peer.ask('agent_card/get');
  if (card.kind !== 'result') return `the agent gave no card: ${describeFailedReply(card)}`;
  keep(recording, 'agent_card/get', undefined, card);
  for (const [index, text] of wanted.says.entries()) {
    const message = {
      kind: 'message',
      messageId: `oatf-record-${index + 1}`,
      role: 'user',
      parts: [{ kind: 'text', text }],
    };
    await askAndKeep(peer, recording, 'message/send', { message });
  }
  return undefined;
}

async function listAll(peer: AskedPeer, recording: Recording, method: string, key: string): Promise<void> {
  const seen = new Set<Value>();
  let cursor: Value | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? undefined : { cursor };
    const reply = await peer.ask(method, params);
    if (!keep(recording, method, params, reply)) return;
    const { result } = reply as Extract<PeerReply, { kind: 'result' }>;
    if (!isValueMap(result) || !Array.isArray(result[key])) {
      recording.leftOut.add(`the answer to ${method} has no list of ${key}`);
      return;
    }
    cursor = result.nextCursor ?? undefined;
    if (cursor === undefined) return;
    if (seen.has(cursor)) {
      recording.leftOut.add(`${method} leads back to a page that was there already`);
      return;
    }
    seen.add(cursor);
    if (recording.isFull) return;
  }
  recording.leftOut.add(`${method} has more than ${mostPages} pages; the others are left out`);
}

async function readAll(peer: AskedPeer, recording: Recording): Promise<void> {
  const entries = (method: string, key: string): readonly ValueMap[] =>
    recording.exchanges
      .filter((exchange) => exchange.method === method)
      .flatMap(({ result }) => (isValueMap(result) && Array.isArray(result[key]) ? (result[key] as Value[]) : []))
      .filter(isValueMap);
  const resources = entries('resources/list', 'resources');
  if (resources.length > mostReads)
    recording.leftOut.add(`of ${resources.length} resources, the first ${mostReads} are read`);
  for (const { uri = null } of resources.slice(0, mostReads)) {
    if (recording.isFull) return;
    await askAndKeep(peer, recording, 'resources/read', { uri });
  }
  for (const { name = null, arguments: needed } of entries('prompts/list', 'prompts').slice(0, mostReads)) {
    if (recording.isFull) return;
    const isPlain = !Array.isArray(needed) || !needed.some((each) => isValueMap(each) && each.required === true);
    if (isPlain) await askAndKeep(peer, recording, 'prompts/get', { name });
  }
}

async function askAndKeep(peer: AskedPeer, recording: Recording, method: string, params: Value): Promise<void> {
  keep(recording, method, params, await peer.ask(method, params));
}

function keep(recording: Recording, method: string, params: Value | undefined, reply: PeerReply): boolean {
  if (reply.kind === 'result') return recording.add({ method, params, result: reply.result });
  if (reply.kind === 'error') {
    recording.add({ method, params, result: reply.error, failed: true });
    return false;
  }
  recording.leftOut.add(`${method} was not answered: ${describeFailedReply(reply)}`);
  return false;
}

function describeFailedReply(reply: PeerReply): string {
  if (reply.kind === 'silent') return reply.reason;
  const { error } = reply as Extract<PeerReply, { kind: 'error' }>;
  const { message } = isValueMap(error) ? error : {};
  return typeof message === 'string' ? message.slice(0, 200) : 'with an error';
}
