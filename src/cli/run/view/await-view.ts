import type { Endpoint } from '../../../attack/engine/ports.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import { isMessageRecord, type TraceRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { findNotice, isClientMode, userMode } from '../../../format/registry/known-modes.ts';
import { pad } from '../../../report/text-width.ts';
import { selectRedactor } from '../../../secrets/redactor.ts';
import type { PlayableDocument } from '../../../suite/plan/plan.ts';
import type { PlayOptions } from '../../../suite/play/play-run.ts';
import type { Sink } from '../../io.ts';
import { formatDocumentTitle, formatJudgement, formatJudgementLine } from '../../verdict/verdict-text.ts';
import type { CommandRunSettings } from '../play/run-settings.ts';
import { createLiveView, type LiveView } from './live-view.ts';
import { formatRunSummary, formatWarning } from './run-summary.ts';
import type { RunView } from './run-view.ts';

/** Shows one document after the other, for the agent that the operator connects to each. */
export function createAwaitView(total: number, settings: CommandRunSettings, operator: Operator): RunView {
  const { screen, notices } = settings;
  const { quiet, showSecrets, verbose, prompt } = settings.values;
  const look = { sink: screen, redactor: selectRedactor(showSecrets), verbose };
  const lines: string[] = [];
  let shownOnTop: Promise<void>[] = [];
  let live: LiveView;
  return {
    async begin({ attack }, playable) {
      const view = createLiveView({ ...look, verbose });
      live = view;
      shownOnTop = [];
      if (!quiet) {
        for (const warning of playable.warnings) await notices.write(formatWarning(warning, notices, playable.file));
        const place = total === 1 ? '' : `${attack.index + 1} of ${total}`;
        await screen.write(formatAwaitHeading(playable, place, settings));
      }
      const { control, record } = operator.begin();
      return {
        control,
        ready(endpoints, skipped) {
          const invitation = quiet
            ? formatEndpoints(endpoints)
            : formatInvitation(playable.document, endpoints, skipped, screen, {
                prompt,
                hasOperator: operator.isThere,
              });
          shownOnTop.push((quiet ? notices : screen).write(invitation));
          if (!quiet) view.start();
        },
        record(each) {
          record(each);
          if (!quiet) view.record(each);
        },
      };
    },
    async finished(_, { judgement, warnings }) {
      await Promise.all(shownOnTop);
      await live.settled();
      const line = formatJudgementLine(judgement, look);
      lines.push(line);
      if (quiet) return screen.write(line);
      const warned = warnings.filter(({ code }) => code !== skippedActor);
      await screen.write(
        `${judgement.records === 0 ? '' : '\n'}${warned.map((warning) => formatWarning(warning, screen)).join('')}` +
          `${formatJudgement(judgement, look)}`,
      );
    },
    async ended() {
      operator.leave();
      if (!quiet && lines.length > 0) await screen.write(formatRunSummary(lines, total, screen));
    },
  };
}

/** Actors that cannot be played are reported before the run. */
const skippedActor = 'O-104';

function formatAwaitHeading(
  { document, file }: PlayableDocument,
  place: string,
  { screen }: CommandRunSettings,
): string {
  const { colours } = screen;
  const where = [place, file].filter((part) => part !== '').join(', ');
  return `${colours.bold(formatDocumentTitle(document))}  ${colours.dim(where)}\n\n`;
}

type Endpoints = ReadonlyMap<string, Endpoint>;

interface InvitationOptions {
  /** The prompt for the agent, if no actor gives one. */
  readonly prompt?: string | undefined;
  /** Whether the operator can end the run at the terminal. */
  readonly hasOperator: boolean;
}

/** Tells an operator how to attack an agent: where to connect it, and which prompt to give it. */
function formatInvitation(
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

function formatEndpoints(endpoints: Endpoints): string {
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

// If someone else runs the agent, only the operator knows when it is done. With Enter, the run ends properly and the
// next document follows. Ctrl-C aborts.

interface Operator {
  /** Whether there is a terminal on which the operator can press Enter. */
  readonly isThere: boolean;
  /** Begins a run that the operator may end. */
  begin(): Required<Pick<PlayOptions, 'control' | 'record'>>;
  /** Stops listening to the operator. */
  leave(): void;
}

export function createOperator({ enterKey, notices }: Pick<CommandRunSettings, 'enterKey' | 'notices'>): Operator {
  let endRun: (() => void) | undefined;
  let hasCome = false;
  const ignore = enterKey?.(() => {
    // An agent that never connected cannot be done.
    if (hasCome) endRun?.();
    else if (endRun !== undefined) void notices.write('oatf: no agent has connected yet; Ctrl-C breaks off\n');
  });
  return {
    isThere: ignore !== undefined,
    begin() {
      hasCome = false;
      return {
        control({ end }) {
          endRun = () => end('operator');
        },
        record(record) {
          hasCome ||= isFromAgent(record);
        },
      };
    },
    leave() {
      endRun = undefined;
      ignore?.();
    },
  };
}

function isFromAgent(record: TraceRecord): boolean {
  return isMessageRecord(record) && record.origin === 'agent';
}
