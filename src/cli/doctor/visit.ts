import type { AgentAddresses, AgentUnderTest } from '../../agents/adapters/agent-under-test.ts';
import { systemClock } from '../../attack/transport/clock.ts';
import { joinLastLines } from '../../attack/transport/program/last-lines.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { isMessageRecord, type MessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { formatEra } from '../../format/registry/protocols.ts';
import { playDocument } from '../../suite/play/play-run.ts';
import { userActor } from '../../suite/play/user-side.ts';
import { type AddressFinder, createPlayableModes } from '../run/addresses/listen.ts';
import { createFindingMaker, type DoctorFinding, type FindingMaker } from './doctor-finding.ts';
import { greetingPrompt, greetingServer, loadGreeting } from './greeting.ts';

export interface VisitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The address at which the server listens, if it was set. */
  readonly addresses?: AddressFinder | undefined;
}

/** Plays a server of the doctor against a target, as a run would. */
export async function playServer(
  server: NormalizedDocument,
  agent: AgentUnderTest,
  prompt: string,
  { timeoutMs, signal, addresses = () => undefined }: VisitOptions,
) {
  const records: TraceRecord[] = [];
  const played = await playDocument(server, {
    agent,
    // An address that the user gave is for the MCP server.
    modes: createPlayableModes((actor) => (actor.name === greetingServer ? addresses(actor) : undefined)),
    prompt,
    clock: systemClock,
    limits: { sessionMs: timeoutMs },
    signal,
    record: (record) => records.push(record),
  });
  return { ...played, records };
}

/** Plays a harmless server against a target and reports each step. */
export async function visitAgent(target: AgentUnderTest, options: VisitOptions): Promise<readonly DoctorFinding[]> {
  const say = createFindingMaker(target.name);
  let reached: AgentAddresses | undefined;
  let server = '';
  const watched: AgentUnderTest = {
    ...target,
    async launch(briefing) {
      const running = await target.launch(briefing);
      reached = running.addresses;
      server = briefing.endpoints[greetingServer]?.url ?? '';
      return running;
    },
  };
  const { end, program, delivery, records } = await playServer(loadGreeting(), watched, greetingPrompt, options);
  if (reached === undefined) return [describeLaunchFailure(say, target, end.trouble ?? end.error)];
  const trouble = delivery[userActor]?.trouble;
  const isFixed = options.addresses !== undefined;
  return [
    reportPromptResult(say, describePromptDelivery(reached, target) + findSpokenEra(records), trouble),
    ...records.filter(({ actor }) => actor === greetingServer).flatMap((record) => describeServerStep(say, record)),
    // A program that failed says nothing of what it uses.
    ...(delivery[greetingServer]?.delivered || (target.isTold && trouble !== undefined)
      ? []
      : [describeUnfetchedTools(say, target, isFixed ? server : undefined)]),
    ...(trouble === undefined ? [reportAnswer(say, joinAnswerText(records))] : []),
    ...describeErrors(say, trouble, program?.stderr ?? ''),
  ];
}

function describeLaunchFailure(
  say: FindingMaker,
  { kind, place }: AgentUnderTest,
  error: string | undefined,
): DoctorFinding {
  const advice =
    kind === 'command'
      ? 'run its command by hand'
      : place === undefined
        ? undefined
        : `see whether it can be reached at ${place}`;
  return say('wrong', error ?? 'it was not ready in time', advice);
}

function describePromptDelivery({ ag_ui }: AgentAddresses, { kind, place }: AgentUnderTest): string {
  const at = place ?? (typeof ag_ui === 'string' ? ag_ui : undefined);
  return at === undefined ? `${kind}: it was given the prompt` : `${kind}: it was asked at ${at}`;
}

/** The A2A era in which the prompt was sent; empty if it was sent in another way. */
function findSpokenEra(records: readonly TraceRecord[]): string {
  for (const record of records) {
    const content = isMessageRecord(record) && record.method === 'raw' ? record.content : undefined;
    const { source, metadata } = isValueMap(content) ? content : {};
    if (source === 'a2a' && isValueMap(metadata)) return `, in ${formatEra('a2a', String(metadata.era))}`;
  }
  return '';
}

/** Without an answer, nothing shows that the agent was reached. */
function reportPromptResult(say: FindingMaker, how: string, trouble: string | undefined): DoctorFinding {
  return trouble === undefined ? say('ok', how) : say('wrong', `${how}: ${trouble.replace(/\s+/g, ' ')}`);
}

/** Reports a request of the agent to the server, with its answer. */
function describeServerStep(say: FindingMaker, record: TraceRecord): readonly DoctorFinding[] {
  if (!isMessageRecord(record))
    return record.kind === 'malformed'
      ? [say('wrong', `a request to the MCP server was refused: ${record.reason}`, 'see docs/protocols/mcp.md')]
      : [];
  if (record.refused !== undefined)
    return [say('wrong', `a request to the MCP server was refused: ${record.refused}`, 'see docs/protocols/mcp.md')];
  const step = record.origin === 'agent' ? steps[record.method] : undefined;
  return step === undefined ? [] : [say('ok', step(record))];
}

const steps: { readonly [method: string]: (record: MessageRecord) => string } = {
  initialize({ content, era, within = 'initialize' }) {
    const { clientInfo, protocolVersion } = isValueMap(content) ? content : {};
    const { name, version } = isValueMap(clientInfo) ? clientInfo : {};
    const how = era === undefined ? 'with a session' : 'without a session';
    return `${within}: it is ${formatToolName(name)} ${formatToolName(version)} and speaks MCP ${formatToolName(protocolVersion)}, ${how}`;
  },
  'tools/list': () => 'tools/list: it was told of the tool "greet"',
  'tools/call': ({ content }) =>
    `tools/call: it called ${formatToolName(isValueMap(content) ? content.name : undefined)}`,
};

function formatToolName(value: Value | undefined): string {
  return typeof value === 'string' ? value.slice(0, 80) : 'without a name';
}

function describeUnfetchedTools(
  say: FindingMaker,
  { isTold, kind, without }: AgentUnderTest,
  fixed: string | undefined,
): DoctorFinding {
  if (without?.includes('mcp')) return say('ok', 'it uses no MCP servers, as its configuration says');
  if (isTold)
    return say(
      'wrong',
      'it never asked the MCP server for its tools',
      kind === 'command'
        ? 'give it the address with {{mcp_config}}, OATF_MCP_CONFIG or {{actors.NAME.url}}; if it uses no MCP servers, say so in its target: without: [mcp]'
        : 'it is given the address of the server in each run; if it uses no MCP servers, say so in its target: without: [mcp]',
    );
  return fixed === undefined
    ? say(
        'note',
        'it is already running and cannot be given the address of the MCP server',
        'set the addresses of servers with `listen` and configure it to use them, or give the target `configure`',
      )
    : say(
        'wrong',
        `it never asked the MCP server at ${fixed} for its tools`,
        `configure it to use ${fixed}; otherwise only attacks by the user reach it`,
      );
}

function reportAnswer(say: FindingMaker, text: string): DoctorFinding {
  return text === ''
    ? say('wrong', 'it finished without an answer', 'what it prints or returns is its answer')
    : say('ok', `it answered: ${text.replace(/\s+/g, ' ').slice(0, 200)}`);
}

/** The agent's answer to its user. */
export function joinAnswerText(records: readonly TraceRecord[]): string {
  return records
    .flatMap((record) =>
      isMessageRecord(record) && record.method.startsWith('text_message_') && isValueMap(record.content)
        ? (record.content.delta ?? [])
        : [],
    )
    .join('');
}

/** What its program wrote to standard error, unless the reason for its failure already says so. */
function describeErrors(say: FindingMaker, trouble: string | undefined, stderr: string): readonly DoctorFinding[] {
  const lines = joinLastLines(stderr);
  if (trouble === undefined || lines === '' || trouble.includes(lines)) return [];
  return [say('note', `its standard error ends with: ${lines}`)];
}
