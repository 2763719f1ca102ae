import type {
  NormalizedActor,
  NormalizedAttack,
  NormalizedDocument,
  NormalizedIndicator,
  NormalizedPhase,
} from '../../model/normalized.ts';
import { computeEffectiveState } from '../../primitives/compute-effective-state.ts';
import type { Colours, Sink } from '../io.ts';
import { visible } from '../terminal/visible.ts';
import { wrap } from '../terminal/width.ts';
import { titleOf } from '../verdict/text.ts';
import { isClient, modeInWords } from './modes.ts';
import { presentedBy } from './state.ts';
import { actionInWords, extractorInWords, triggerInWords, whatInWords, whereInWords } from './words.ts';

const widest = 100;

interface Page {
  readonly colours: Colours;
  readonly width: number;
}

/** What an attack does, for people. */
export function describeDocument(document: NormalizedDocument, { colours, columns }: Sink): string {
  const { attack } = document;
  const page = { colours, width: Math.min(columns, widest) };
  const { actors } = attack.execution;
  return [
    `${colours.bold(titleOf(document))}\n${colours.dim(wrap(facts(attack), page.width))}\n`,
    ...(attack.description === undefined ? [] : [`${prose(attack.description, page, '')}`]),
    row('Targets', targetsOf(actors), page, ''),
    ...actors.map((actor) => describeActor(actor, page)),
    describeIndicators(attack, page),
  ].join('\n');
}

function facts({ severity, status, version, classification, impact, gracePeriod }: NormalizedAttack): string {
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

function describeActor(actor: NormalizedActor, page: Page): string {
  const { name, mode, phases } = actor;
  const head = `${page.colours.bold(`Actor ${visible(name)}`)}: ${visible(mode)}, ${visible(modeInWords(mode).meets)}\n`;
  return head + phases.map((phase, index) => describePhase(actor, phase, index, page)).join('');
}

function describePhase(actor: NormalizedActor, phase: NormalizedPhase, index: number, page: Page): string {
  const { name, description, state, extractors = [], onEnter = [], trigger } = phase;
  const before = index === 0 ? undefined : computeEffectiveState(actor.phases, index - 1);
  const presented = presentedBy(state, before);
  const does = isClient(actor.mode) ? 'sends' : 'presents';
  const rows = [
    ...onEnter.map((action) => row('on entry', actionInWords(action), page)),
    ...(state === undefined && index > 0 ? [row(does, 'the same as before', page)] : []),
    ...presented.map(({ kind, text, change }) =>
      row(does, `${change === undefined ? '' : `(${change}) `}${kind} ${text}`, page),
    ),
    ...extractors.map((extractor) => row('extracts', extractorInWords(extractor), page)),
    row('ends', triggerInWords(trigger), page),
  ];
  return (
    `  ${index + 1}. ${page.colours.cyan(visible(name))}\n` +
    `${description === undefined ? '' : prose(description, page, '     ')}${rows.join('')}`
  );
}

function describeIndicators({ indicators = [], correlation }: NormalizedAttack, page: Page): string {
  if (indicators.length === 0) return 'Nothing says when it has succeeded: the document has no indicators.\n';
  const logic =
    indicators.length === 1
      ? 'this holds'
      : correlation?.logic === 'all'
        ? 'all of these hold'
        : 'any of these holds';
  const head = `${page.colours.bold('It has succeeded when')} ${logic}\n`;
  return head + indicators.map((indicator) => describeIndicator(indicator, page)).join('');
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
    `${description === undefined ? '' : prose(description, page, '     ')}` +
    `${row('looks at', whereInWords(indicator), page)}${row('for', whatInWords(indicator), page)}`
  );
}

const labelWidth = 10;

/** A label, and its text beside it over as many lines as it takes. */
function row(label: string, text: string, { colours, width }: Page, indent = '     '): string {
  const [first = '', ...rest] = wrap(visible(text), width, ' '.repeat(indent.length + labelWidth)).split(
    '\n',
  );
  const left = `${indent}${colours.dim(label.padEnd(labelWidth))}`;
  return `${[`${left}${first.trimStart()}`, ...rest].join('\n')}\n`;
}

function prose(text: string, { width }: Page, indent: string): string {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs
    .map((paragraph) => `${wrap(visible(paragraph.replace(/\s+/g, ' ')), width, indent)}\n`)
    .join('\n');
}
