import type { Figures } from '../../src/format/model/results-file.ts';
import type { PageIndex, PageRun } from '../../src/report/html/page-data.ts';
import {
  computeFigures,
  computeRate,
  countDisclosures,
  type DisclosureFields,
  type TaskFields,
} from '../../src/suite/statistics/compute-figures.ts';
import { baselineSection } from './baseline.ts';
import { breakdowns } from './breakdowns.ts';
import { demandInWords } from './coverage.ts';
import { h, place } from './dom.ts';
import { filterLink, rateBar, rateText } from './parts.ts';
import { attacksIn, countsOf, outcomeNames, type RunRow, successOf, unattributedText } from './results.ts';
import { grouped, spaced } from './words.ts';

/** Rates over all attacks, with the notes needed to read them. */
export function figures(index: PageIndex, all: readonly RunRow[]): readonly HTMLElement[] {
  const rows = attacksIn(all);
  return [
    agentsSection(index, rows),
    ...figuresSection(index),
    ...disclosureSection(index),
    ...(index.baseline === undefined ? [] : [baselineSection(index.baseline, rows)]),
    breakdowns(index, rows),
    ...notes(index),
  ];
}

/** Notes on the demanded delivery, the claims about agents, the outcomes that were raised, and what happens anyway. */
function notes({ agents, raised, demands, inferred, masked, attacks, documents }: PageIndex): readonly HTMLElement[] {
  const lines = [
    ...demands.map((demand) => `Delivery ${demandInWords(demand)}.`),
    ...(inferred === undefined ? [] : [`${inferred}.`]),
    ...agents.flatMap(({ name, claim }) => (claim === undefined ? [] : `${name} is ${claim}.`)),
    ...raised.map((line) => `Raised to resisted: ${line}.`),
    ...attacks.flatMap(({ document, agent, attribution = [] }) =>
      attribution.map(
        (line) => `${documents[document]?.id ?? documents[document]?.name} on ${agents[agent]?.name}: ${line}.`,
      ),
    ),
    ...(masked ? ['Text that looks like a secret is masked.'] : []),
  ];
  return lines.length === 0
    ? []
    : [
        h(
          'section',
          { 'aria-labelledby': 'notes-title' },
          h('h2', { id: 'notes-title' }, 'Notes'),
          lines.map((line) => h('p', { class: 'facts dim' }, line)),
        ),
      ];
}

const figureNames: readonly (readonly [keyof Figures, string, string])[] = [
  ['benign_utility', 'Works', 'Benign utility: tasks done without an attack'],
  ['utility_under_attack', 'Works under attack', 'Utility under attack: tasks done while the attack did not succeed'],
  ['attack_success', 'Falls', 'Attack success: attacks that succeeded'],
  ['over_refusal', 'Over-refusal', 'Over-refusal: tasks not done although there was no attack'],
];

/** A run as figures read it. */
function toTaskFields({ twin, task, outcome }: PageRun): TaskFields {
  return {
    ...(twin && { twin }),
    ...(task !== undefined && { task }),
    ...(outcome === 'unattributed' ? { outcome: 'inconclusive', cause: 'unattributed' } : { outcome }),
  };
}

/** The figures for which a higher rate is better. */
const goodFigures: ReadonlySet<keyof Figures> = new Set(['benign_utility', 'utility_under_attack']);

/** Benign utility, utility under attack and attack success of each agent; nothing if no task result is known. */
function figuresSection({ agents, runs }: PageIndex): readonly HTMLElement[] {
  const all = agents.map((_, agent) => computeFigures(runs.filter((run) => run.agent === agent).map(toTaskFields)));
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
        const rate = all[agent]?.[key] ?? computeRate(0, 0);
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
        'Works: the task of a benign twin was done. Works under attack: the task was done, and the attack did not succeed. Unknown results count in no figure.',
      ),
    ),
  ];
}

function toDisclosureFields(run: PageRun): DisclosureFields {
  const { disclosure } = run;
  return { ...toTaskFields(run), ...(disclosure !== undefined && { disclosure }) };
}

/** What the agents told their users of attacks; nothing if it is not known of any run. */
function disclosureSection({ agents, runs }: PageIndex): readonly HTMLElement[] {
  const counted = agents.map(({ name }, agent) => ({
    name,
    counts: countDisclosures(runs.filter((run) => run.agent === agent).map(toDisclosureFields)),
  }));
  const sides = [
    ['resisted', 'Resisted'],
    ['succeeded', 'Succeeded'],
  ] as const;
  const states = [
    ['disclosed', 'and said so'],
    ['not_disclosed', 'not seen to disclose'],
    ['unknown', 'unknown'],
  ] as const;
  const isKnown = counted.some(({ counts }) =>
    sides.some(([side]) => counts !== undefined && counts[side].disclosed + counts[side].not_disclosed > 0),
  );
  if (!isKnown) return [];
  const columns = sides.flatMap(([side, title]) =>
    states.map(([state, words]) => [side, state, `${title}, ${words}`] as const),
  );
  const body = counted.map(({ name, counts }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      columns.map(([side, state, title]) =>
        h('td', { class: 'number', 'data-label': title }, grouped(counts?.[side][state] ?? 0)),
      ),
    ),
  );
  return [
    h(
      'section',
      { 'aria-labelledby': 'disclosure-title' },
      h('h2', { id: 'disclosure-title' }, 'What users were told'),
      h(
        'table',
        { class: 'figures agents' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'Agent'),
            columns.map(([, , title]) => h('th', { scope: 'col', class: 'number' }, title)),
          ),
        ),
        h('tbody', {}, body),
      ),
      h(
        'p',
        { class: 'note dim' },
        'Not seen to disclose: no rule found it in what the agent said to its user. It is no proof of silence.',
      ),
    ),
  ];
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
        h('div', { class: 'measure' }, rateBar(successOf(runs)), rateText(successOf(runs)), unattributedText(runs)),
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
    {},
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
