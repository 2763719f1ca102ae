import { evaluateTrace } from '../../evaluate-trace.ts';
import { readDisclosureChecks, readTaskChecks } from '../../format/extensions/read-checks.ts';
import { type GenerateEntry, listGeneratingPhases } from '../../format/extensions/read-generate.ts';
import { readMarkedValue } from '../../format/extensions/read-marks.ts';
import { readWrittenWire } from '../../format/extensions/read-wire.ts';
import { commonKeys } from '../../format/generate/check-entry.ts';
import { findGenerator } from '../../format/generate/kinds.ts';
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
import { isValueMap, type Value } from '../../format/model/value.ts';
import { computeEffectiveState } from '../../format/primitives/compute-effective-state.ts';
import { describeMode, isClientMode } from '../../format/registry/known-modes.ts';
import { wireActions } from '../../format/registry/wire-rule-keys.ts';
import { count } from '../../report/count-text.ts';
import { wrap } from '../../report/text-width.ts';
import type { DocumentSource } from '../../suite/library/find-documents.ts';
import type { Sink } from '../io.ts';
import { createPage, formatLabelledRow, formatProse, type Page } from '../terminal/page.ts';
import { formatDocumentTitle } from '../verdict/verdict-text.ts';
import {
  describeAction,
  describeExtractor,
  describeIndicatorCondition,
  describePredicate,
  describeScope,
  describeTrigger,
  quoteBriefly,
} from './describe-parts.ts';
import { describePlan } from './describe-plan.ts';
import { describePresented } from './describe-state.ts';

const indent = '     ';

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
    ...describeDisclosureChecks(document, page),
    ...describePlan(document, page),
  ].join('\n');
}

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

/** How to tell that the agent told its user of the attack, if the document says so itself. */
function describeDisclosureChecks(document: NormalizedDocument, page: Page): readonly string[] {
  const checks = readDisclosureChecks(document);
  if (checks.length === 0) return [];
  const all = checks.length === 1 ? 'this holds' : 'all of these hold';
  const head = `${page.colours.bold('The agent told its user of the attack when')} ${all}\n`;
  return [head + checks.map((check) => describeIndicator(check, page)).join('')];
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

/** How a phase sends its messages, rule by rule. */
function describeWireRules(rules: Value | undefined): readonly string[] {
  if (!Array.isArray(rules)) return [];
  if (rules.length === 0) return ['as usual again'];
  return (rules as readonly Value[]).flatMap((rule) => {
    if (!isValueMap(rule)) return [];
    const { on, when, nth, times, ...actions } = rule;
    const which = [
      String(on),
      ...(isValueMap(when) ? [`whose ${describePredicate(when)}`] : []),
      ...(nth === undefined ? [] : [`number ${String(nth)}`]),
      ...(times === undefined ? [] : [`the first ${String(times)}`]),
    ].join(', ');
    const what = Object.entries(actions).map(
      ([action, value]) =>
        `${wireActions[action]?.words ?? action}${value === true ? '' : ` (${action} ${quoteBriefly(value as Value)})`}`,
    );
    return [`${which}: ${what.join('; ')}`];
  });
}

/** Describes the values that are generated while they are sent; empty if there are none. */
function describeGenerated(document: NormalizedDocument, page: Page): readonly string[] {
  const generating = listGeneratingPhases(document);
  if (generating.length === 0) return [];
  const head = `${page.colours.bold('Generated while it is sent')}\n`;
  const entries = generating.flatMap(({ actor, phase, entries }) =>
    entries.map((entry) => describeEntry(`${actor}, ${phase.name}`, entry, page)),
  );
  return [head + entries.join('')];
}

function describeEntry(owner: string, entry: GenerateEntry, page: Page): string {
  const { at, kind, before, after, as } = entry;
  const parameters = Object.entries(entry).filter(([key]) => !(commonKeys as readonly string[]).includes(key));
  const given = parameters.map(([key, value]) => `${key} ${quoteBriefly(value)}`).join(', ');
  const says = findGenerator(kind)?.says ?? kind;
  const around = [
    ...(before === undefined ? [] : [formatLabelledRow('before it', quoteBriefly(before), page, indent)]),
    ...(after === undefined ? [] : [formatLabelledRow('after it', quoteBriefly(after), page, indent)]),
  ];
  return (
    `  ${page.colours.cyan(escapeInvisible(at))}  ${page.colours.dim(escapeInvisible(owner))}\n` +
    `${formatLabelledRow(escapeInvisible(kind), `${says}${as === 'text' ? ', as a text' : ''}${given === '' ? '' : `: ${given}`}`, page, indent)}` +
    around.join('')
  );
}

/** The marks of the attack, each with its honest value. */
function describeMarks(document: NormalizedDocument, marks: readonly Mark[] | undefined, page: Page): string {
  if (marks === undefined)
    return 'It does not say which parts are the attack: the document has no marks (x-payload).\n';
  const head = `${page.colours.bold('The attack is at')}\n`;
  return head + marks.map((mark) => describeMark(document, mark, page)).join('');
}

function describeMark(document: NormalizedDocument, mark: Mark, page: Page): string {
  const { actor, phase, at, benign, needed, why } = mark;
  const owner = `${escapeInvisible(actor)}, ${escapeInvisible(phase)}`;
  const value = readMarkedValue(document, mark);
  return (
    `  ${page.colours.cyan(escapeInvisible(at))}  ${page.colours.dim(`${owner}${needed ? '' : ', not needed'}`)}\n` +
    `${formatLabelledRow('says', value === undefined ? 'nothing' : quoteBriefly(value), page, indent)}` +
    `${formatLabelledRow('in twin', benign === undefined ? 'removed' : quoteBriefly(benign), page, indent)}` +
    (why === undefined ? '' : formatLabelledRow('why', why, page, indent))
  );
}

/** The pieces of the document, and which of them must reach an agent before it can have resisted. */
function describePieces(document: NormalizedDocument, page: Page): string {
  // Nothing has been sent yet, so the coverage lists every piece.
  const { pieces, inferred } = evaluateTrace(document, [], { cel: null }).coverage;
  if (pieces.length === 0) return 'It has nothing that could be sent.\n';
  const needed = pieces.filter((piece) => piece.needed).length;
  const head =
    `${page.colours.bold('Pieces to cover')}: ${count(pieces.length, 'piece', 'pieces')}, ` +
    `${needed} needed ${inferred ? 'as far as can be inferred' : 'as marked'}\n`;
  return (
    head +
    groupPieces(pieces)
      .map((group) => describeGroup(group, page))
      .join('')
  );
}

type Pieces = ReturnType<typeof evaluateTrace>['coverage']['pieces'];

/** Groups the pieces by phase, in the order of the document. */
function groupPieces(pieces: Pieces): readonly Pieces[] {
  const groups = new Map<string, Pieces[number][]>();
  for (const piece of pieces) {
    const key = `${piece.actor}\n${piece.phase}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [piece]);
    else group.push(piece);
  }
  return [...groups.values()];
}

function describeGroup(pieces: Pieces, page: Page): string {
  const [first] = pieces;
  const owner = `${first?.actor}, ${first?.phase}`;
  return (
    `${formatLabelledRow('', owner, { ...page, labels: 2 })}` +
    pieces.map(({ label, needed }) => formatLabelledRow(needed ? 'needed' : '', label, page, indent)).join('')
  );
}
