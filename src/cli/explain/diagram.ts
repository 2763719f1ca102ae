import type { Action } from '../../format/model/attack-document.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type {
  NormalizedActor,
  NormalizedDocument,
  NormalizedIndicator,
  NormalizedPhase,
} from '../../format/model/normalized.ts';
import { getProtocol, isClientMode } from '../../format/registry/known-modes.ts';
import { describeIndicatorCondition, describePredicate } from './describe-parts.ts';
import { describePresented, type PresentedItem } from './describe-state.ts';

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
    actor === undefined ? getProtocol(mode) === indicator.protocol : name === actor,
  );
  const over = index < 0 ? agent : `${agent},${formatActorId(index)}`;
  const place = surface === undefined ? '' : `${surface} where `;
  const text = `${id}${tier === undefined ? '' : ` (${tier})`}: ${place}${describeIndicatorCondition(indicator)}`;
  return `Note over ${over}: ${escapeMermaid(text)}`;
}

function indent(line: string): string {
  return `  ${line}`;
}

const longest = 120;
// Characters without a meaning in Mermaid. All others, such as `;`, `#`, `<` and `%`, become character codes.
const risky = /[^\p{L}\p{M}\p{N} .,_/()-]/gu;
// The word `end` closes a block wherever Mermaid finds it.
const end = /\bend\b/giu;

/** Makes hostile text safe: Mermaid shows it and does not interpret it. */
function escapeMermaid(text: string): string {
  // Mermaid requires a text here.
  const line = escapeInvisible(text.replace(/\s+/g, ' ').trim()) || '-';
  const characters = [...line];
  const cut = characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
  return cut.replace(risky, toEntityCode).replace(end, (word) => `${toEntityCode(word.slice(0, 1))}${word.slice(1)}`);
}

function toEntityCode(character: string): string {
  return `#${character.codePointAt(0)};`;
}
