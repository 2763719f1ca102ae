import type { AgentUnderTest, Doors } from '../../agent/agent.ts';
import { isMessageRecord, type MessageRecord, type TraceRecord } from '../../model/trace.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import { mcpServerMode } from '../../suite/modes.ts';
import { playDocument } from '../../suite/play.ts';
import { userActor } from '../../suite/user.ts';
import { systemClock } from '../../transport/clock.ts';
import { type Finding, type Say, sayOf } from './finding.ts';
import { greeting, greetingPrompt, greetingServer } from './greeting.ts';

export interface VisitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Speaks to a target as a run would, with a server that means well, and tells each step that it took. */
export async function visit(
  target: AgentUnderTest,
  { timeoutMs, signal }: VisitOptions,
): Promise<readonly Finding[]> {
  const say = sayOf(target.name);
  const records: TraceRecord[] = [];
  let doors: Doors | undefined;
  const watched: AgentUnderTest = {
    ...target,
    async launch(briefing) {
      const running = await target.launch(briefing);
      doors = running.doors;
      return running;
    },
  };
  const { end, program, delivery } = await playDocument(greeting(), {
    agent: watched,
    modes: [mcpServerMode()],
    prompt: greetingPrompt,
    clock: systemClock,
    limits: { sessionMs: timeoutMs },
    signal,
    record: (record) => records.push(record),
  });
  if (doors === undefined) return [notLaunched(say, end.error)];
  const trouble = delivery[userActor]?.trouble;
  return [
    say('ok', spokenToAt(doors, target)),
    ...records.filter(({ actor }) => actor === greetingServer).flatMap((record) => serverStep(say, record)),
    ...unfetched(say, target, delivery[greetingServer]?.delivered ?? false),
    answer(say, textOf(records), trouble),
    ...(program === undefined || program.stderr === '' || trouble === undefined
      ? []
      : [say('note', `its standard error ends with: ${lastLine(program.stderr)}`)]),
  ];
}

function notLaunched(say: Say, error: string | undefined): Finding {
  return say(
    'wrong',
    error ?? 'it was not ready in time',
    'run its command by hand, or see whether its address is right',
  );
}

function spokenToAt({ ag_ui }: Doors, { kind, place }: AgentUnderTest): string {
  const at = place ?? (typeof ag_ui === 'string' ? ag_ui : undefined);
  return at === undefined ? `${kind}: it was given the prompt` : `${kind}: it was asked at ${at}`;
}

/** What the agent fetched of the server, and what it was answered. */
function serverStep(say: Say, record: TraceRecord): readonly Finding[] {
  if (!isMessageRecord(record))
    return record.kind === 'malformed'
      ? [say('wrong', `a request to the MCP server was refused: ${record.reason}`, 'see docs/mcp.md')]
      : [];
  const step = record.origin === 'agent' ? steps[record.method] : undefined;
  return step === undefined ? [] : [say('ok', step(record))];
}

const steps: { readonly [method: string]: (record: MessageRecord) => string } = {
  initialize({ content }) {
    const { clientInfo, protocolVersion } = isValueMap(content) ? content : {};
    const { name, version } = isValueMap(clientInfo) ? clientInfo : {};
    return `initialize: it is ${shown(name)} ${shown(version)} and speaks MCP ${shown(protocolVersion)}`;
  },
  'tools/list': () => 'tools/list: it was told of the tool "greet"',
  'tools/call': ({ content }) =>
    `tools/call: it called ${shown(isValueMap(content) ? content.name : undefined)}`,
};

function shown(value: Value | undefined): string {
  return typeof value === 'string' ? value.slice(0, 80) : 'without a name';
}

function unfetched(say: Say, { isTold }: AgentUnderTest, isDelivered: boolean): readonly Finding[] {
  if (isDelivered) return [];
  return [
    isTold
      ? say(
          'wrong',
          'it never asked the MCP server for its tools',
          'it is told by {{mcp_config}}, OATF_MCP_CONFIG or {{actors.NAME.url}}; without, only attacks by the user reach it',
        )
      : say(
          'note',
          'it runs already and cannot be told of the MCP server',
          'fix the places of servers with --listen and configure it to use them, or give the target `configure`',
        ),
  ];
}

function answer(say: Say, text: string, trouble: string | undefined): Finding {
  if (trouble !== undefined) return say('wrong', `it did not answer its user: ${trouble}`);
  return text === ''
    ? say('note', 'it finished without a word')
    : say('ok', `it answered: ${text.replace(/\s+/g, ' ').slice(0, 200)}`);
}

function textOf(records: readonly TraceRecord[]): string {
  return records
    .flatMap((record) =>
      isMessageRecord(record) && record.method.startsWith('text_message_') && isValueMap(record.content)
        ? (record.content.delta ?? [])
        : [],
    )
    .join('');
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
