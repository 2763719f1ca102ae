import type { Action } from '../../format/model/attack-document.ts';
import type {
  NormalizedActor,
  NormalizedDocument,
  NormalizedIndicator,
  NormalizedPhase,
} from '../../format/model/normalized.ts';
import { extractProtocol } from '../../format/primitives/extract-protocol.ts';
import { isClientMode } from '../../format/registry/known-modes.ts';
import { describeIndicatorCondition, describePredicate } from './describe-parts.ts';
import { describePresented, type PresentedItem } from './describe-state.ts';
import { escapeMermaid } from './mermaid-text.ts';

// Identifiers are our own, so that no name from a document can be read as Mermaid syntax.
const agent = 'agent';
const formatActorId = (index: number): string => `actor${index + 1}`;

/** The attack as a Mermaid sequence diagram. */
export function formatDiagram({ attack }: NormalizedDocument): string {
  const { actors } = attack.execution;
  const played = actors.map((actor, index) => formatPhases(actor, formatActorId(index)));
  return [
    'sequenceDiagram',
    `  title ${escapeMermaid([attack.id, attack.name].filter(Boolean).join(' '))}`,
    `  participant ${agent} as Agent under test`,
    ...actors.map(
      ({ name, mode }, index) =>
        `  participant ${formatActorId(index)} as ${escapeMermaid(name)} (${escapeMermaid(mode)})`,
    ),
    ...(actors.length === 1 ? played.flat().map(indent) : formatParallelActors(actors, played)),
    ...(attack.indicators ?? []).map((indicator) => indent(formatIndicatorNote(indicator, actors))),
    '',
  ].join('\n');
}

function formatParallelActors(actors: readonly NormalizedActor[], played: readonly (readonly string[])[]): string[] {
  return [
    ...played.flatMap((lines, index) => [
      `  ${index === 0 ? 'par' : 'and'} ${escapeMermaid(actors[index]?.name ?? '')}`,
      ...lines.map((line) => indent(indent(line))),
    ]),
    '  end',
  ];
}

function formatPhases({ phases, mode }: NormalizedActor, id: string): string[] {
  return phases.flatMap((phase) => [
    'rect rgba(128, 128, 128, 0.1)',
    `  Note over ${agent},${id}: ${escapeMermaid(`Phase ${phase.name}`)}`,
    ...(phase.onEnter ?? []).flatMap((action) => formatEntryAction(action, id)).map(indent),
    ...describePresented(phase.state, undefined).map((each) => indent(formatPresented(each, id, mode))),
    ...(phase.extractors ?? []).map(
      ({ name, source }) => `  Note over ${id}: ${escapeMermaid(`keeps ${name} from the ${source}`)}`,
    ),
    ...endLines(phase, id).map(indent),
    'end',
  ]);
}

function formatEntryAction({ send, log }: Action, id: string): string[] {
  if (send !== undefined) return [`${id}->>${agent}: ${escapeMermaid(send.method ?? '')}`];
  return log === undefined ? [] : [`Note over ${id}: ${escapeMermaid(`log ${log.message ?? ''}`)}`];
}

function formatPresented({ kind, text }: PresentedItem, id: string, mode: string): string {
  // A server answers requests; a client sends first.
  return `${id}${isClientMode(mode) ? '->>' : '-->>'}${agent}: ${escapeMermaid(`${kind} ${text}`)}`;
}

function endLines({ trigger }: NormalizedPhase, id: string): string[] {
  if (trigger === undefined) return [`Note over ${id}: until the run ends`];
  const { event, count = 1, match, after } = trigger;
  const times = count === 1 ? '' : `, ${count} times`;
  const which = match === undefined ? '' : ` whose ${describePredicate(match)}`;
  return [
    ...(event === undefined ? [] : [`${agent}->>${id}: ${escapeMermaid(`${event}${which}${times}`)}`]),
    ...(after === undefined
      ? []
      : [`Note over ${id}: ${escapeMermaid(`${event === undefined ? '' : 'or '}after ${after}`)}`]),
  ];
}

function formatIndicatorNote(indicator: NormalizedIndicator, actors: readonly NormalizedActor[]): string {
  const { id, tier, surface, actor } = indicator;
  const index = actors.findIndex(({ name, mode }) =>
    actor === undefined ? extractProtocol(mode) === indicator.protocol : name === actor,
  );
  const over = index < 0 ? agent : `${agent},${formatActorId(index)}`;
  const place = surface === undefined ? '' : `${surface} where `;
  const text = `${id}${tier === undefined ? '' : ` (${tier})`}: ${place}${describeIndicatorCondition(indicator)}`;
  return `Note over ${over}: ${escapeMermaid(text)}`;
}

function indent(line: string): string {
  return `  ${line}`;
}
