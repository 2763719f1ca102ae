import { readTaskChecks } from '../../format/extensions/read-task.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type {
  NormalizedActor,
  NormalizedAttack,
  NormalizedDocument,
  NormalizedExecution,
  NormalizedIndicator,
  NormalizedPhase,
} from '../../format/model/normalized.ts';
import { computeEffectiveState } from '../../format/primitives/compute-effective-state.ts';
import { readWrittenWire } from '../../format/primitives/read-wire-rules.ts';
import { describeMode, isClientMode } from '../../format/registry/known-modes.ts';
import { wrap } from '../../report/text-width.ts';
import type { DocumentSource } from '../../suite/library/find-documents.ts';
import type { Sink } from '../io.ts';
import { createPage, formatLabelledRow, formatProse, type Page } from '../terminal/page.ts';
import { formatDocumentTitle } from '../verdict/verdict-text.ts';
import { describeGenerated } from './describe-generated.ts';
import { describeMarks } from './describe-marks.ts';
import {
  describeAction,
  describeExtractor,
  describeIndicatorCondition,
  describeScope,
  describeTrigger,
} from './describe-parts.ts';
import { describePieces } from './describe-pieces.ts';
import { describePresented } from './describe-state.ts';
import { describeWireRules } from './describe-wire.ts';

const indent = '     ';

/** Describes an attack for people. */
export function describeDocument(
  document: NormalizedDocument,
  marks: readonly Mark[] | undefined,
  source: DocumentSource,
  sink: Sink,
): string {
  const { attack } = document;
  const page = createPage(sink);
  const { colours } = page;
  const { actors } = attack.execution;
  return [
    `${colours.bold(formatDocumentTitle(document))}\n${colours.dim(wrap(formatMetadata(attack), page.width))}\n`,
    ...(attack.description === undefined ? [] : [formatProse(attack.description, page)]),
    describeOrigin(attack, source, createPage(sink, 12)),
    ...actors.map((actor) => describeActor(attack.execution, actor, page)),
    ...describeGenerated(document, page),
    describeMarks(document, marks, page),
    describePieces(document, page),
    describeIndicators(attack, page),
    describeTask(document, page),
  ].join('\n');
}

/** The metadata of an attack in one line. */
function formatMetadata(attack: NormalizedAttack): string {
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
  return escapeInvisible(parts.join(' · '));
}

/** The targets, mappings, references and author of the attack, and the source of the document. */
function describeOrigin(attack: NormalizedAttack, source: DocumentSource, page: Page): string {
  const { classification, references = [], author = '', execution } = attack;
  const mappings = (classification?.mappings ?? []).map(({ framework, id, name, url, relationship }) =>
    [framework, id, name, `(${relationship})`, url].filter(Boolean).join(' '),
  );
  return [
    ...labelled('Targets', [formatTargets(execution.actors)], page),
    ...labelled('Mappings', mappings, page),
    ...labelled(
      'References',
      references.map(({ title, url }) => [title, url].filter(Boolean).join(' ')),
      page,
    ),
    ...labelled('Author', [author], page),
    ...labelled('File', [source.kind === 'file' ? source.path : source.name], page),
  ].join('');
}

/** The texts under one label, each on its own lines. */
function labelled(label: string, texts: readonly string[], page: Page): readonly string[] {
  return texts.filter(Boolean).map((text, index) => formatLabelledRow(index === 0 ? label : '', text, page));
}

function formatTargets(actors: readonly NormalizedActor[]): string {
  return [...new Set(actors.map(({ mode }) => describeMode(mode).targets))].join('; ');
}

function describeActor(execution: NormalizedExecution, actor: NormalizedActor, page: Page): string {
  const { name, mode, phases } = actor;
  const head = `${page.colours.bold(`Actor ${escapeInvisible(name)}`)}: ${escapeInvisible(mode)}, ${escapeInvisible(describeMode(mode).meets)}\n`;
  const wires = phases.map((_, index) => describeWireRules(readWrittenWire(execution, actor, index)));
  return head + phases.map((phase, index) => describePhase(actor, phase, index, wires[index] ?? [], page)).join('');
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
  const presented = describePresented(state, before);
  const does = isClientMode(actor.mode) ? 'sends' : 'presents';
  const rows = [
    ...onEnter.map((action) => formatLabelledRow('on entry', describeAction(action), page, indent)),
    ...(state === undefined && index > 0
      ? // Format spec §7.3: a client whose phase inherits its state only observes.
        [
          isClientMode(actor.mode)
            ? formatLabelledRow('watches', 'what comes', page, indent)
            : formatLabelledRow(does, 'the same as before', page, indent),
        ]
      : []),
    ...presented.map(({ kind, text, change }) =>
      formatLabelledRow(does, `${change === undefined ? '' : `(${change}) `}${kind} ${text}`, page, indent),
    ),
    ...wires.map((words) => formatLabelledRow('on wire', words, page, indent)),
    ...extractors.map((extractor) => formatLabelledRow('extracts', describeExtractor(extractor), page, indent)),
    formatLabelledRow('ends', describeTrigger(trigger), page, indent),
  ];
  return (
    `  ${index + 1}. ${page.colours.cyan(escapeInvisible(name))}\n` +
    `${description === undefined ? '' : formatProse(description, page, indent)}${rows.join('')}`
  );
}

function describeIndicators({ indicators = [], correlation }: NormalizedAttack, page: Page): string {
  if (indicators.length === 0)
    return 'It does not say when the attack has succeeded: the document has no indicators.\n';
  const logic =
    indicators.length === 1 ? 'this holds' : correlation?.logic === 'all' ? 'all of these hold' : 'any of these holds';
  const head = `${page.colours.bold('It has succeeded when')} ${logic}\n`;
  return head + indicators.map((indicator) => describeIndicator(indicator, page)).join('');
}

/** How to tell that the agent did the user's task. */
function describeTask(document: NormalizedDocument, page: Page): string {
  const checks = readTaskChecks(document);
  if (checks === undefined) return 'It does not say when the task is done: the document has no checks (x-task).\n';
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
    `  ${page.colours.cyan(escapeInvisible(id))}${marks === '' ? '' : `  ${page.colours.dim(marks)}`}\n` +
    `${description === undefined ? '' : formatProse(description, page, indent)}` +
    `${formatLabelledRow('looks at', describeScope(indicator), page, indent)}${formatLabelledRow('for', describeIndicatorCondition(indicator), page, indent)}`
  );
}
