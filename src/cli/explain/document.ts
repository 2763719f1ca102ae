import { taskOf } from '../../marks/read-task.ts';
import type { Mark } from '../../model/marks.ts';
import type {
  NormalizedActor,
  NormalizedAttack,
  NormalizedDocument,
  NormalizedExecution,
  NormalizedIndicator,
  NormalizedPhase,
} from '../../model/normalized.ts';
import { computeEffectiveState } from '../../primitives/compute-effective-state.ts';
import { writtenWire } from '../../primitives/written-wire.ts';
import { isClientMode, modeInWords } from '../../registry/modes.ts';
import { visible } from '../../report/visible.ts';
import { wrap } from '../../report/width.ts';
import type { Sink } from '../io.ts';
import { type Page, pageOn, prose, row } from '../terminal/page.ts';
import { titleOf } from '../verdict/text.ts';
import { describeGenerated } from './generated.ts';
import { describeMarks } from './marks.ts';
import { describePieces } from './pieces.ts';
import { presentedBy } from './state.ts';
import { wireInWords } from './wire.ts';
import { actionInWords, extractorInWords, triggerInWords, whatInWords, whereInWords } from './words.ts';

const indent = '     ';

/** Describes an attack for people. */
export function describeDocument(
  document: NormalizedDocument,
  marks: readonly Mark[] | undefined,
  sink: Sink,
): string {
  const { attack } = document;
  const page = pageOn(sink);
  const { colours } = page;
  const { actors } = attack.execution;
  return [
    `${colours.bold(titleOf(document))}\n${colours.dim(wrap(factsOf(attack), page.width))}\n`,
    ...(attack.description === undefined ? [] : [prose(attack.description, page)]),
    row('Targets', targetsOf(actors), page),
    ...actors.map((actor) => describeActor(attack.execution, actor, page)),
    ...describeGenerated(document, page),
    describeMarks(document, marks, page),
    describePieces(document, page),
    describeIndicators(attack, page),
    describeTask(document, page),
  ].join('\n');
}

/** The metadata of an attack in one line. */
export function factsOf(attack: NormalizedAttack): string {
  const { severity, status, version, classification, impact, gracePeriod } = attack;
  const { category, tags = [] } = classification ?? {};
  const parts = [
    ...(severity === undefined ? [] : [`severity ${severity.level}`]),
    ...(category === undefined ? [] : [category]),
    ...(impact ?? []),
    `${status}, version ${version}`,
    ...(gracePeriod === undefined ? [] : [`watched for ${gracePeriod} after its end`]),
    ...tags.map((tag) => `#${tag}`),
  ];
  return visible(parts.join(' · '));
}

function targetsOf(actors: readonly NormalizedActor[]): string {
  return [...new Set(actors.map(({ mode }) => modeInWords(mode).targets))].join('; ');
}

function describeActor(execution: NormalizedExecution, actor: NormalizedActor, page: Page): string {
  const { name, mode, phases } = actor;
  const head = `${page.colours.bold(`Actor ${visible(name)}`)}: ${visible(mode)}, ${visible(modeInWords(mode).meets)}\n`;
  const wires = phases.map((_, index) => wireInWords(writtenWire(execution, actor, index)));
  return (
    head + phases.map((phase, index) => describePhase(actor, phase, index, wires[index] ?? [], page)).join('')
  );
}

function describePhase(
  actor: NormalizedActor,
  phase: NormalizedPhase,
  index: number,
  wires: readonly string[],
  page: Page,
): string {
  const { name, description, state, extractors = [], onEnter = [], trigger } = phase;
  const before = index === 0 ? undefined : computeEffectiveState(actor.phases, index - 1);
  const presented = presentedBy(state, before);
  const does = isClientMode(actor.mode) ? 'sends' : 'presents';
  const rows = [
    ...onEnter.map((action) => row('on entry', actionInWords(action), page, indent)),
    ...(state === undefined && index > 0
      ? // Format spec §7.3: a client whose phase inherits its state only observes.
        [
          isClientMode(actor.mode)
            ? row('watches', 'what comes', page, indent)
            : row(does, 'the same as before', page, indent),
        ]
      : []),
    ...presented.map(({ kind, text, change }) =>
      row(does, `${change === undefined ? '' : `(${change}) `}${kind} ${text}`, page, indent),
    ),
    ...wires.map((words) => row('on wire', words, page, indent)),
    ...extractors.map((extractor) => row('extracts', extractorInWords(extractor), page, indent)),
    row('ends', triggerInWords(trigger), page, indent),
  ];
  return (
    `  ${index + 1}. ${page.colours.cyan(visible(name))}\n` +
    `${description === undefined ? '' : prose(description, page, indent)}${rows.join('')}`
  );
}

function describeIndicators({ indicators = [], correlation }: NormalizedAttack, page: Page): string {
  if (indicators.length === 0)
    return 'It does not say when the attack has succeeded: the document has no indicators.\n';
  const logic =
    indicators.length === 1
      ? 'this holds'
      : correlation?.logic === 'all'
        ? 'all of these hold'
        : 'any of these holds';
  const head = `${page.colours.bold('It has succeeded when')} ${logic}\n`;
  return head + indicators.map((indicator) => describeIndicator(indicator, page)).join('');
}

/** How to tell that the agent did the user's task. */
function describeTask(document: NormalizedDocument, page: Page): string {
  const checks = taskOf(document);
  if (checks === undefined)
    return 'It does not say when the task is done: the document has no checks (x-task).\n';
  const all = checks.length === 1 ? 'this holds' : 'all of these hold';
  const head = `${page.colours.bold('The task was done when')} ${all}\n`;
  return head + checks.map((check) => describeIndicator(check, page)).join('');
}

function describeIndicator(indicator: NormalizedIndicator, page: Page): string {
  const { id, tier, confidence, description, severity } = indicator;
  const marks = [
    ...(tier === undefined ? [] : [`tier ${tier}`]),
    ...(severity === undefined ? [] : [`severity ${severity}`]),
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
  ].join(', ');
  return (
    `  ${page.colours.cyan(visible(id))}${marks === '' ? '' : `  ${page.colours.dim(marks)}`}\n` +
    `${description === undefined ? '' : prose(description, page, indent)}` +
    `${row('looks at', whereInWords(indicator), page, indent)}${row('for', whatInWords(indicator), page, indent)}`
  );
}
