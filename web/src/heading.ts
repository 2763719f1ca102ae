import type { PageIndex } from '../../src/report/html/page-data.ts';
import { changesLine } from './baseline.ts';
import { h } from './dom.ts';
import { formatHeadline } from './headline.ts';
import { attacksIn, type RunRow } from './results.ts';
import { dateTime, duration, grouped, listed, plural, spaced } from './words.ts';

/** The names of more agents than this are left to the grid. */
const mostNames = 4;
const mostGaps = 3;

/** The result of the suite, its date and contents, and what is missing from it. */
export function heading(index: PageIndex, all: readonly RunRow[]): readonly HTMLElement[] {
  const rows = attacksIn(all);
  const { started, finished, tool, agents, documents, failTier, hint } = index;
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
  return [
    h(
      'header',
      {},
      h('h1', {}, formatHeadline(index, all)),
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
      hint !== undefined && h('p', { class: 'facts dim' }, hint),
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
