import type { DeliveryEntry } from '../../src/format/model/results-file.ts';
import { describeWaiting } from '../../src/format/model/trace-record.ts';
import { getProtocol } from '../../src/format/registry/known-modes.ts';
import { formatEra } from '../../src/format/registry/protocols.ts';
import type { DocumentPart, RunPart } from '../../src/report/html/page-data.ts';
import { type Child, h, spoken } from './dom.ts';
import { gravestFirst } from './gravest.ts';
import { badge, rateText, runWord, symbol } from './parts.ts';
import { type Attack, type RunRow, titleOf, unattributedText } from './results.ts';
import { runLink, sourceLink } from './route.ts';
import { quotedEvidence } from './text.ts';
import { dateTime, duration, listed, plural, protocolName, spaced } from './words.ts';

// The sections of a run above its diagram.

/** The head of a run: its outcome and reason. */
export function runHead({ run, document, agent }: RunRow, part: RunPart): HTMLElement {
  return h(
    'header',
    {},
    h('h1', { id: 'run-title', tabindex: '-1' }, titleOf(document)),
    h('p', { class: 'outcome-line' }, [
      badge(runWord(run)),
      h('b', {}, agent),
      run.tier !== undefined && h('span', { class: 'tier' }, spaced(run.tier)),
      run.reason !== undefined && h('span', {}, run.reason),
    ]),
    otherCauses(part),
    part.message !== undefined && h('p', {}, part.message),
  );
}

/** The description of the attack and further facts about the run. */
export function aboutSection(
  { run, document, attack, number }: RunRow,
  part: RunPart,
  source: DocumentPart | undefined,
): HTMLElement {
  const { severity, category, protocols } = document;
  const facts: readonly (readonly [string, Child | undefined])[] = [
    ['Task', run.task === undefined ? undefined : [badge(run.task), part.taskReason && ` ${part.taskReason}`]],
    [
      'Told its user',
      part.disclosure && [
        part.disclosure.words,
        part.disclosure.reason && `: ${part.disclosure.reason}`,
        part.disclosure.sentence && h('q', {}, part.disclosure.sentence),
      ],
    ],
    ['Severity', severity],
    ['Category', category === undefined ? undefined : spaced(category)],
    ['Protocols', protocols.length === 0 ? undefined : protocols.map(protocolName).join(', ')],
    ['Took', `${duration(run.ms)}${part.end === '' ? '' : `, ${spaced(part.end)}`}`],
    ['Started', part.started === undefined ? undefined : dateTime(part.started)],
    ['Repeats', attack.runs.length > 1 ? repeatLinks(attack, number) : undefined],
    [
      'Over all repeats',
      attack.runs.length > 1 ? [rateText(attack.success), unattributedText(attack.runs)] : undefined,
    ],
    ['Without the attack', attack.facts?.attribution?.join('; ')],
    ['Baseline', attack.facts?.change === undefined ? undefined : badge(attack.facts.change)],
  ];
  return h(
    'section',
    { 'aria-labelledby': 'about-title' },
    h('h2', { id: 'about-title' }, 'The attack'),
    source?.description?.split(/\n\s*\n/).map((paragraph) => h('p', { class: 'description' }, paragraph)),
    h(
      'dl',
      { class: 'run-facts' },
      facts.flatMap(([name, value]) =>
        value === undefined ? [] : [h('div', {}, h('dt', {}, name), h('dd', {}, value))],
      ),
    ),
  );
}

/** Links to the other runs of the same attack, each with its outcome. */
function repeatLinks({ runs, numbers }: Attack, current: number): HTMLElement {
  return h(
    'span',
    { class: 'repeats' },
    runs.map(({ outcome, repeat }, index) =>
      h(
        'a',
        {
          href: runLink(numbers[index] ?? 0),
          title: spaced(outcome),
          'aria-current': numbers[index] === current && 'page',
        },
        symbol(outcome),
        `${repeat}`,
        spoken(` ${spaced(outcome)}`),
      ),
    ),
  );
}

/** The other causes why the run could not be judged, after the one that the outcome names. */
function otherCauses({ causes }: RunPart): HTMLElement | undefined {
  const others = causes.slice(1);
  return others.length === 0
    ? undefined
    : h(
        'ul',
        { class: 'causes dim' },
        others.map(({ cause, reason }) => h('li', {}, h('b', {}, spaced(cause)), ` ${reason}`)),
      );
}

export function indicatorsSection(run: number, { indicators }: RunPart, source: DocumentPart | undefined): HTMLElement {
  return h(
    'section',
    { class: 'indicators', 'aria-labelledby': 'indicators-title' },
    h('h2', { id: 'indicators-title' }, 'Indicators'),
    indicators.length === 0 && h('p', { class: 'dim' }, 'The document has none, so there is no verdict.'),
    h(
      'ul',
      {},
      gravestFirst(indicators, source).map(({ id, result, evidence, seq, path, looked }) => {
        const known = source?.indicators.find((indicator) => indicator.id === id);
        return h(
          'li',
          { class: `indicator is-${result}` },
          h(
            'p',
            { class: 'indicator-head' },
            badge(result),
            h('b', {}, id),
            known?.tier !== undefined && h('span', { class: 'tier' }, spaced(known.tier)),
            h('span', { class: 'links' }, [
              seq !== undefined && h('a', { href: runLink(run, seq) }, `message ${seq}`),
              looked?.nearest !== undefined &&
                h('a', { href: runLink(run, looked.nearest) }, `nearest: message ${looked.nearest}`),
              known !== undefined && h('a', { href: sourceLink(run, known.line) }, `line ${known.line}`),
            ]),
          ),
          known?.description !== undefined && h('p', {}, known.description),
          result === 'set_aside' &&
            h('p', { class: 'dim' }, 'It does not count: the agent does this as often without the attack.'),
          evidence !== undefined && quotedEvidence(evidence),
          evidence !== undefined && path !== undefined && path !== '' && h('p', { class: 'dim place' }, `at ${path}`),
          looked !== undefined && h('p', { class: 'dim looked' }, `Why not: ${looked.sentence}`),
        );
      }),
    ),
  );
}

export function deliverySection({ delivery }: RunPart): HTMLElement {
  const actors = Object.entries(delivery);
  const yes = (is: boolean): HTMLElement => h('span', { class: is ? 'yes' : 'no' }, is ? 'yes' : 'no');
  return h(
    'section',
    { 'aria-labelledby': 'delivery-title' },
    h('h2', { id: 'delivery-title' }, 'Delivery'),
    actors.length === 0 && h('p', { class: 'dim' }, 'No actor was played.'),
    actors.map(([actor, { mode, reached, delivered, engaged, served, trouble, eras = [], ...phases }]) =>
      h(
        'div',
        { class: 'actor' },
        h('h3', {}, actor, ' ', h('span', { class: 'dim' }, mode)),
        h(
          'dl',
          {},
          h('div', {}, h('dt', {}, 'reached'), h('dd', {}, yes(reached))),
          h('div', {}, h('dt', {}, 'delivered'), h('dd', {}, yes(delivered))),
          h('div', {}, h('dt', {}, 'engaged'), h('dd', {}, yes(engaged))),
          ...(eras.length === 0
            ? []
            : [
                h(
                  'div',
                  {},
                  h('dt', {}, 'spoke'),
                  h('dd', {}, eras.map((era) => formatEra(getProtocol(mode), era)).join(', ')),
                ),
              ]),
          h('div', {}, h('dt', {}, 'served'), h('dd', {}, plural(served, 'message', 'messages'))),
        ),
        trouble !== undefined && h('p', { class: 'trouble' }, trouble),
        phases.phases.length > 0 && h('p', { class: 'dim' }, phasesInWords(phases)),
      ),
    ),
  );
}

function phasesInWords({
  phases,
  phases_entered: entered,
  phases_seen: seen,
  waiting,
}: Pick<DeliveryEntry, 'phases' | 'phases_entered' | 'phases_seen' | 'waiting'>): string {
  const unseen = phases.filter((phase) => !seen.includes(phase));
  if (unseen.length === 0)
    return phases.length === 1 ? `phase ${phases[0]} seen` : `all ${phases.length} phases seen: ${listed(phases)}`;
  const untouched = unseen.filter((phase) => !entered.includes(phase));
  const rest = unseen.filter((phase) => entered.includes(phase));
  return [
    `${seen.length} of ${plural(phases.length, 'phase', 'phases')} seen`,
    ...(untouched.length > 0
      ? [`never began: ${listed(untouched)}${waiting === undefined ? '' : ` (${describeWaiting(waiting)})`}`]
      : []),
    ...(rest.length > 0 ? [`entered, but not seen by the agent: ${listed(rest)}`] : []),
  ].join('; ');
}

export function diagnosticsSection({ diagnostics }: RunPart): HTMLElement | undefined {
  if (diagnostics.length === 0) return undefined;
  return h(
    'section',
    { 'aria-labelledby': 'diagnostics-title' },
    h('h2', { id: 'diagnostics-title' }, 'Warnings'),
    h(
      'ul',
      {},
      diagnostics.map(({ code, message, path }) =>
        h('li', {}, h('b', {}, code), ' ', message, path !== undefined && h('span', { class: 'dim' }, ` at ${path}`)),
      ),
    ),
  );
}

export function storyHead({ trace }: RunPart): Child {
  const leftOut = trace.gaps.reduce((sum, [, records]) => sum + records, 0);
  if (trace.problem !== undefined) return h('p', { class: 'note' }, `There is nothing to show: ${trace.problem}.`);
  return h(
    'p',
    { class: 'note dim' },
    plural(trace.seq.length + leftOut, 'record', 'records'),
    leftOut > 0 &&
      `, of which ${plural(leftOut, 'is', 'are')} in ${trace.file} only: the report has the first, the last and those with evidence`,
    '.',
  );
}
