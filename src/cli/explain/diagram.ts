import type { Action } from '../../model/document.ts';
import type {
  NormalizedActor,
  NormalizedDocument,
  NormalizedIndicator,
  NormalizedPhase,
} from '../../model/normalized.ts';
import { extractProtocol } from '../../primitives/extract-protocol.ts';
import { isClientMode } from '../../registry/modes.ts';
import { mermaidText } from './mermaid-text.ts';
import { type Presented, presentedBy } from './state.ts';
import { predicateInWords, whatInWords } from './words.ts';

// Identifiers are our own, so that no name from a document can be read as Mermaid syntax.
const agent = 'agent';
const actorId = (index: number): string => `actor${index + 1}`;

/** The attack as a Mermaid sequence diagram. */
export function diagramOf({ attack }: NormalizedDocument): string {
  const { actors } = attack.execution;
  const played = actors.map((actor, index) => phasesOf(actor, actorId(index)));
  return [
    'sequenceDiagram',
    `  title ${mermaidText([attack.id, attack.name].filter(Boolean).join(' '))}`,
    `  participant ${agent} as Agent under test`,
    ...actors.map(
      ({ name, mode }, index) =>
        `  participant ${actorId(index)} as ${mermaidText(name)} (${mermaidText(mode)})`,
    ),
    ...(actors.length === 1 ? played.flat().map(indent) : inParallel(actors, played)),
    ...(attack.indicators ?? []).map((indicator) => indent(indicatorNote(indicator, actors))),
    '',
  ].join('\n');
}

function inParallel(actors: readonly NormalizedActor[], played: readonly (readonly string[])[]): string[] {
  return [
    ...played.flatMap((lines, index) => [
      `  ${index === 0 ? 'par' : 'and'} ${mermaidText(actors[index]?.name ?? '')}`,
      ...lines.map((line) => indent(indent(line))),
    ]),
    '  end',
  ];
}

function phasesOf({ phases, mode }: NormalizedActor, id: string): string[] {
  return phases.flatMap((phase) => [
    'rect rgba(128, 128, 128, 0.1)',
    `  Note over ${agent},${id}: ${mermaidText(`Phase ${phase.name}`)}`,
    ...(phase.onEnter ?? []).flatMap((action) => entryLine(action, id)).map(indent),
    ...presentedBy(phase.state, undefined).map((each) => indent(presentedLine(each, id, mode))),
    ...(phase.extractors ?? []).map(
      ({ name, source }) => `  Note over ${id}: ${mermaidText(`keeps ${name} from the ${source}`)}`,
    ),
    ...endLines(phase, id).map(indent),
    'end',
  ]);
}

function entryLine({ send, log }: Action, id: string): string[] {
  if (send !== undefined) return [`${id}->>${agent}: ${mermaidText(send.method ?? '')}`];
  return log === undefined ? [] : [`Note over ${id}: ${mermaidText(`log ${log.message ?? ''}`)}`];
}

function presentedLine({ kind, text }: Presented, id: string, mode: string): string {
  // A server answers requests; a client sends first.
  return `${id}${isClientMode(mode) ? '->>' : '-->>'}${agent}: ${mermaidText(`${kind} ${text}`)}`;
}

function endLines({ trigger }: NormalizedPhase, id: string): string[] {
  if (trigger === undefined) return [`Note over ${id}: until the run ends`];
  const { event, count = 1, match, after } = trigger;
  const times = count === 1 ? '' : `, ${count} times`;
  const which = match === undefined ? '' : ` whose ${predicateInWords(match)}`;
  return [
    ...(event === undefined ? [] : [`${agent}->>${id}: ${mermaidText(`${event}${which}${times}`)}`]),
    ...(after === undefined
      ? []
      : [`Note over ${id}: ${mermaidText(`${event === undefined ? '' : 'or '}after ${after}`)}`]),
  ];
}

function indicatorNote(indicator: NormalizedIndicator, actors: readonly NormalizedActor[]): string {
  const { id, tier, surface, actor } = indicator;
  const index = actors.findIndex(({ name, mode }) =>
    actor === undefined ? extractProtocol(mode) === indicator.protocol : name === actor,
  );
  const over = index < 0 ? agent : `${agent},${actorId(index)}`;
  const place = surface === undefined ? '' : `${surface} where `;
  const text = `${id}${tier === undefined ? '' : ` (${tier})`}: ${place}${whatInWords(indicator)}`;
  return `Note over ${over}: ${mermaidText(text)}`;
}

function indent(line: string): string {
  return `  ${line}`;
}
