import type { AttackStatus } from '../../src/format/model/results-file.ts';
import type { PageIndex } from '../../src/report/html/page-data.ts';
import { changesLine } from './baseline.ts';
import { h } from './dom.ts';
import { attacksIn, type RunRow } from './results.ts';
import { dateTime, duration, grouped, listed, plural, spaced } from './words.ts';

/**
 * The headline: how many attacks were judged and with what result, and how many were not. Attacks that do not apply or
 * could not be judged must not sound resisted.
 */
export function headline(every: readonly RunRow[]): string {
  const rows = attacksIn(every);
  const attacks = [...new Set(rows.map(({ attack }) => attack))];
  if (attacks.length === 0) return 'No attack has finished';
  const number = (...wanted: readonly AttackStatus[]): number =>
    attacks.filter(({ status }) => wanted.includes(status)).length;
  const succeeded = attacks.filter(({ success }) => success.count > 0).length;
  const [resisted, unjudged, inapplicable] = [
    number('resisted'),
    number('inconclusive', 'error'),
    number('not_applicable'),
  ];
  const rest = [
    ...(unjudged > 0 ? [`${grouped(unjudged)} could not be judged`] : []),
    ...(inapplicable > 0 ? [`${grouped(inapplicable)} ${inapplicable === 1 ? 'does' : 'do'} not apply`] : []),
  ];
  const all = plural(attacks.length, 'attack', 'attacks');
  if (succeeded > 0) {
    const often = number('flaky') > 0 ? ' at least once' : '';
    return [`${grouped(succeeded)} of ${all} succeeded${often}`, ...rest].join(', ');
  }
  const isOne = attacks.length === 1;
  if (resisted === attacks.length) return isOne ? 'The one attack was resisted' : `All ${all} were resisted`;
  if (unjudged === attacks.length)
    return isOne ? 'The one attack could not be judged' : `None of ${all} could be judged`;
  if (inapplicable === attacks.length) return isOne ? 'The one attack does not apply' : `None of ${all} applies`;
  return [`${grouped(resisted)} of ${all} resisted`, ...rest].join(', ');
}

/** The names of more agents than this are left to the grid. */
const mostNames = 4;
const mostGaps = 3;

/** The result of the suite, its date and contents, and what is missing from it. */
export function heading(index: PageIndex, all: readonly RunRow[]): readonly HTMLElement[] {
  const rows = attacksIn(all);
  const { started, finished, tool, agents, documents, failTier } = index;
  const attacked = new Set(rows.map(({ run }) => run.document)).size || documents.length;
  const twins = index.runs.filter(({ twin }) => twin).length;
  const took = finished === undefined ? undefined : Date.parse(finished) - Date.parse(started);
  const facts = [
    dateTime(started),
    took === undefined || Number.isNaN(took) ? progress(index) : `took ${duration(took)}`,
    tool,
    failTier === undefined ? '' : `a match fails from ${spaced(failTier)} on, milder ones are tolerated`,
  ].filter((fact) => fact !== '');
  const gaps = gapsIn(index);
  const isPart = index.skipped.length > 0 || index.notRun.length > 0;
  return [
    h(
      'header',
      {},
      h('h1', {}, `${headline(rows)}${isPart ? ', but not all was run' : ''}`),
      h(
        'p',
        { class: 'lead' },
        `${plural(attacked, 'document', 'documents')} against `,
        agents.length > mostNames ? plural(agents.length, 'agent', 'agents') : listed(agents.map(({ name }) => name)),
        `, ${plural(rows.length, 'run', 'runs')}`,
        twins > 0 && ` and ${grouped(twins)} of benign twins`,
        h('span', { class: 'facts dim' }, ` ${facts.join(' · ')}`),
      ),
      gaps.slice(0, mostGaps).map((line) => h('p', { class: 'facts missing' }, line)),
      gaps.length > mostGaps &&
        h(
          'details',
          { class: 'facts missing' },
          h('summary', {}, `${grouped(gaps.length - mostGaps)} more`),
          gaps.slice(mostGaps).map((line) => h('p', {}, line)),
        ),
      changesLine(index, rows),
    ),
  ];
}

/** The reasons why the suite proves less than its outcomes suggest. */
function gapsIn({ unproven, notRun, skipped }: PageIndex): readonly string[] {
  return [
    ...unproven.map((line) => `Not proven: ${line}.`),
    ...notRun.map(({ reason, runs }) => `${plural(runs, 'run has', 'runs have')} not run: ${reason}.`),
    ...(skipped.length > 0
      ? [`${plural(skipped.length, 'document was', 'documents were')} left out as not valid.`]
      : []),
    ...skipped.map(({ path, reason }) => `${path}: ${reason}`),
  ];
}

function progress({ planned, runs }: PageIndex): string {
  return planned === undefined
    ? 'not finished'
    : `${grouped(runs.length)} of ${plural(planned, 'run', 'runs')} finished`;
}
