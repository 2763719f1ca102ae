import type { AttackStatus, Figures, Rate } from '../../src/model/results.ts';
import type { PageIndex, PageRun } from '../../src/report/html/page-data.ts';
import { figuresOf } from '../../src/suite/figures.ts';
import { rateOf } from '../../src/suite/wilson.ts';
import { baselineSection } from './baseline.ts';
import { demandInWords } from './coverage.ts';
import { h, place } from './dom.ts';
import { filterLink, rateBar, rateText } from './parts.ts';
import {
  countsOf,
  outcomeNames,
  type RunRow,
  reachedOf,
  severities,
  successOf,
  tiers,
  valuesOf,
} from './results.ts';
import { dateTime, duration, grouped, listed, plural, protocolName, spaced } from './words.ts';

/** What came of it all, to be read at a glance. */
export function summary(index: PageIndex, all: readonly RunRow[]): readonly HTMLElement[] {
  const rows = attacksIn(all);
  return [
    heading(index, rows),
    agentsSection(index, rows),
    ...figuresSection(index),
    ...(index.baseline === undefined ? [] : [baselineSection(index.baseline, rows)]),
    breakdowns(index, rows),
  ];
}

/** What was judged and how it went, and what was not: nothing that did not apply or could not be judged sounds resisted. */
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
  if (inapplicable === attacks.length)
    return isOne ? 'The one attack does not apply' : `None of ${all} applies`;
  return [`${grouped(resisted)} of ${all} resisted`, ...rest].join(', ');
}

function heading(index: PageIndex, rows: readonly RunRow[]): HTMLElement {
  const { started, finished, tool, agents, documents, masked, notRun, skipped, demands } = index;
  const attacked = new Set(rows.map(({ run }) => run.document)).size || documents.length;
  const twins = index.runs.filter(({ twin }) => twin).length;
  const flaky = new Set(rows.flatMap(({ attack }) => (attack.status === 'flaky' ? attack : []))).size;
  const took = finished === undefined ? undefined : Date.parse(finished) - Date.parse(started);
  const facts = [
    dateTime(started),
    took === undefined || Number.isNaN(took) ? progress(index) : `took ${duration(took)}`,
    tool,
  ].filter((fact) => fact !== '');
  return h(
    'header',
    { class: 'head' },
    h('h1', {}, `${headline(rows)}${skipped.length > 0 ? ', but not all was run' : ''}`),
    h(
      'p',
      { class: 'lead' },
      `${plural(attacked, 'document', 'documents')} against `,
      listed(agents.map(({ name }) => name)),
      ', ',
      h('a', { href: '#/?runs' }, plural(rows.length, 'run', 'runs')),
      twins > 0 && ` and ${grouped(twins)} of benign twins`,
      '. ',
      flaky > 0 && `${grouped(flaky)} succeeded in some repeats only. `,
      masked && h('span', { class: 'dim' }, 'What looks like a secret is starred out.'),
    ),
    h('p', { class: 'facts dim' }, facts.join(' · ')),
    agents.map(
      ({ name, claim }) => claim !== undefined && h('p', { class: 'facts dim' }, `${name} is ${claim}.`),
    ),
    index.failTier !== undefined &&
      h(
        'p',
        { class: 'facts dim' },
        `A match fails from ${spaced(index.failTier)} on; milder ones are tolerated.`,
      ),
    index.unproven.map((line) => h('p', { class: 'facts missing' }, `Not shown: ${line}.`)),
    index.raised.map((line) => h('p', { class: 'facts dim' }, `Raised to resisted: ${line}.`)),
    demands.map((demand) => h('p', { class: 'facts dim' }, `Delivery ${demandInWords(demand)}.`)),
    notRun.map(({ reason, runs }) =>
      h('p', { class: 'facts missing' }, `${plural(runs, 'run has', 'runs have')} not run: ${reason}.`),
    ),
    skipped.length > 0 &&
      h(
        'p',
        { class: 'facts missing' },
        `${plural(skipped.length, 'document was', 'documents were')} left out, not being valid.`,
      ),
    skipped.map(({ path, reason }) => h('p', { class: 'facts missing' }, `${path}: ${reason}`)),
  );
}

/** Nobody attacks in a benign twin, so it is in no rate. */
function attacksIn(rows: readonly RunRow[]): readonly RunRow[] {
  return rows.filter(({ run }) => !run.twin);
}

const figureNames: readonly (readonly [keyof Figures, string, string])[] = [
  ['benign_utility', 'Works', 'Benign utility: tasks done when nobody attacks'],
  [
    'utility_under_attack',
    'Works under attack',
    'Utility under attack: tasks done while the attack did not succeed',
  ],
  ['attack_success', 'Falls', 'Attack success: attacks that succeeded'],
  ['over_refusal', 'Over-refusal', 'Over-refusal: tasks not done although nobody attacks'],
];

/** Those of which more is better. */
const goodFigures: ReadonlySet<keyof Figures> = new Set(['benign_utility', 'utility_under_attack']);

/** Does it work, does it work under attack, does it fall; nothing where nobody knows of any task. */
function figuresSection({ agents, runs }: PageIndex): readonly HTMLElement[] {
  const all = agents.map((_, agent) => figuresOf(runs.filter((run) => run.agent === agent)));
  const shown = figureNames.filter(([key]) => all.some((figures) => figures[key].of > 0));
  const isKnown = all.some(({ benign_utility, utility_under_attack }) =>
    [benign_utility, utility_under_attack].some(({ of }) => of > 0),
  );
  if (!isKnown) return [];
  const head = shown.map(([, title, about]) => h('th', { scope: 'col', class: 'wide', title: about }, title));
  const body = agents.map(({ name }, agent) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      shown.map(([key, title]) => {
        const rate = all[agent]?.[key] ?? rateOf(0, 0);
        return h(
          'td',
          { class: goodFigures.has(key) ? 'wide is-good' : 'wide', 'data-label': title },
          h('div', { class: 'measure' }, rateBar(rate), rateText(rate), ` ${rate.count}/${rate.of}`),
        );
      }),
    ),
  );
  return [
    h(
      'section',
      { 'aria-labelledby': 'figures-title' },
      h('h2', { id: 'figures-title' }, 'Use and safety'),
      h(
        'table',
        { class: 'figures useful' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Agent'), head)),
        h('tbody', {}, body),
      ),
      h(
        'p',
        { class: 'note dim' },
        'Works: the task of a benign twin was done. Works under attack: the task was done, and the attack did not succeed. What is not known is in no figure.',
      ),
    ),
  ];
}

function progress({ planned, runs }: PageIndex): string {
  return planned === undefined
    ? 'not finished'
    : `${grouped(runs.length)} of ${plural(planned, 'run', 'runs')} finished`;
}

function agentsSection({ agents }: PageIndex, rows: readonly RunRow[]): HTMLElement {
  const head = h(
    'tr',
    {},
    h('th', { scope: 'col' }, 'Agent'),
    h('th', { scope: 'col', class: 'wide' }, 'Attacks that succeeded'),
    outcomeNames.map((name) => h('th', { scope: 'col', class: 'number' }, spaced(name))),
  );
  const body = agents.map(({ name }, agent) => {
    const runs = rows.filter(({ run }) => run.agent === agent).map(({ run }) => run);
    const counts = countsOf(runs);
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, filterLink({ agent: name }, name)),
      h(
        'td',
        { class: 'wide' },
        h('div', { class: 'measure' }, rateBar(successOf(runs)), rateText(successOf(runs))),
      ),
      outcomeNames.map((outcome) =>
        h(
          'td',
          { class: 'number', 'data-label': spaced(outcome) },
          counts[outcome] === 0
            ? h('span', { class: 'dim' }, '0')
            : filterLink({ agent: name, outcome }, grouped(counts[outcome]), `${spaced(outcome)}, ${name}`),
        ),
      ),
    );
  });
  return h(
    'section',
    { 'aria-labelledby': 'agents-title' },
    h('h2', { id: 'agents-title' }, 'Agents'),
    outcomeBar(rows.map(({ run }) => run)),
    h('table', { class: 'figures agents' }, h('thead', {}, head), h('tbody', {}, body)),
    h(
      'p',
      { class: 'note dim' },
      'Bars are rates of the runs that could be judged; lines over them are 95 % intervals.',
    ),
  );
}

/** All runs as one bar, with its legend. */
function outcomeBar(runs: readonly PageRun[]): HTMLElement {
  const counts = countsOf(runs);
  const present = outcomeNames.filter((name) => counts[name] > 0);
  return h(
    'div',
    { class: 'outcomes' },
    h(
      'div',
      { class: 'outcome-bar', 'aria-hidden': 'true' },
      present.map((name) => place(h('span', { class: `fill-${name}` }), { flexGrow: String(counts[name]) })),
    ),
    h(
      'ul',
      { class: 'legend' },
      present.map((name) =>
        h(
          'li',
          {},
          h('span', { class: `dot fill-${name}`, 'aria-hidden': 'true' }),
          filterLink({ outcome: name }, `${grouped(counts[name])} ${spaced(name)}`),
        ),
      ),
    ),
  );
}

interface Breakdown {
  readonly key: string;
  readonly title: string;
  readonly note?: string;
  readonly values: readonly string[];
  readonly name: (value: string) => string;
  readonly rate: (rows: readonly RunRow[], value: string) => Rate;
}

function breakdowns({ agents }: PageIndex, rows: readonly RunRow[]): HTMLElement {
  const having =
    (of: (row: RunRow) => readonly (string | undefined)[]) => (all: readonly RunRow[], value: string) =>
      successOf(all.filter((row) => of(row).includes(value)).map(({ run }) => run));
  const byAgent = agents.map((_, agent) => rows.filter(({ run }) => run.agent === agent));
  const bySeverity = ({ document }: RunRow) => [document.severity];
  const byCategory = ({ document }: RunRow) => [document.category];
  const byProtocol = ({ document }: RunRow) => document.protocols;
  const tables: readonly Breakdown[] = [
    {
      key: 'severity',
      title: 'By severity',
      values: valuesOf(rows, bySeverity, severities),
      name: spaced,
      rate: having(bySeverity),
    },
    {
      key: 'tier',
      title: 'By tier',
      note: 'that tier, or a graver one, was reached',
      values: rows.some(({ run }) => run.tier !== undefined) ? tiers : [],
      name: spaced,
      rate: (all, tier) =>
        reachedOf(
          all.map(({ run }) => run),
          tier,
        ),
    },
    {
      key: 'protocol',
      title: 'By protocol',
      values: valuesOf(rows, byProtocol),
      name: protocolName,
      rate: having(byProtocol),
    },
    {
      key: 'category',
      title: 'By category',
      values: valuesOf(rows, byCategory),
      name: spaced,
      rate: having(byCategory),
    },
  ];
  return h(
    'section',
    { class: 'breakdowns', 'aria-label': 'Rates in detail' },
    tables.filter(({ values }) => values.length > 0).map((table) => breakdownTable(table, agents, byAgent)),
  );
}

/** More agents than this are compared in the table above; here they would be a wall of bars. */
const mostAgents = 4;

function breakdownTable(
  table: Breakdown,
  agents: PageIndex['agents'],
  byAgent: readonly (readonly RunRow[])[],
): HTMLElement {
  const { key, title, note, values, name, rate } = table;
  const shown = agents.slice(0, mostAgents);
  const lines = values.map((value) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, filterLink({ [key]: value }, name(value))),
      h(
        'td',
        {},
        shown.map((agent, number) => {
          const own = rate(byAgent[number] ?? [], value);
          return h(
            'div',
            { class: 'measure' },
            agents.length > 1 && h('span', { class: 'who dim' }, agent.name),
            rateBar(own),
            rateText(own),
            h('span', { class: 'of dim' }, `${grouped(own.count)} of ${grouped(own.of)}`),
          );
        }),
      ),
    ),
  );
  return h(
    'section',
    { 'aria-labelledby': `by-${key}` },
    h('h2', { id: `by-${key}` }, title, note !== undefined && h('small', { class: 'dim' }, ` ${note}`)),
    h('table', { class: 'figures', 'aria-labelledby': `by-${key}` }, h('tbody', {}, lines)),
    agents.length > mostAgents &&
      h(
        'p',
        { class: 'note dim' },
        `The first ${mostAgents} agents; the table of runs can be filtered by any.`,
      ),
  );
}
