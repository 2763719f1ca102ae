import { escapeInvisible } from '../../src/format/model/escape-invisible.ts';
import { button, h } from './dom.ts';
import { formatHeadline } from './headline.ts';
import { createHelp } from './help.ts';
import { createHome } from './home.ts';
import { isLive, openPages, readIndex, watch } from './page.ts';
import { rowsOf } from './results.ts';
import { homeLink, parseRoute, type Route, runLink } from './route.ts';
import { openRun, type RunView } from './run-view.ts';

const index = readIndex();
const pages = openPages();
let rows = rowsOf(index);
const home = createHome(index, rows, pages);
const help = createHelp();
const stage = h('main', { id: 'main', tabindex: '-1' }, home.element);
const back = h('a', { href: '#/' }, 'All attacks');
const before = h('a', { rel: 'prev' }, 'Previous');
const after = h('a', { rel: 'next' }, 'Next');
const steps = h('nav', { class: 'steps', 'aria-label': 'Runs' }, back, before, after);
const bar = h(
  'header',
  { class: 'top' },
  h('a', { class: 'brand', href: '#/' }, 'oatf'),
  steps,
  button('Keyboard', { class: 'quiet', 'aria-keyshortcuts': '?' }, () => help.showModal()),
);

let view: RunView | undefined;
/** The scroll position of the first page when the user left it. */
let homeScroll = 0;
let homeHash = '';
let asked = 0;

function leaveRun(): void {
  view?.stop();
  view?.element.remove();
  view = undefined;
}

function showHome({ tab, filters }: Route & { readonly view: 'home' }): void {
  const returning = home.element.hidden;
  leaveRun();
  home.element.hidden = false;
  steps.hidden = true;
  document.title = `${formatHeadline(index, rows)} – oatf report`;
  home.show(tab, filters);
  if (returning && location.hash === homeHash) scrollTo({ top: homeScroll, behavior: 'instant' });
}

async function showRun(number: number): Promise<RunView | undefined> {
  const row = rows[number];
  if (row === undefined) return undefined;
  if (view?.number === number) return view;
  const ticket = ++asked;
  const opened = await openRun(row, pages);
  if (ticket !== asked) {
    opened.stop();
    return undefined;
  }
  if (!home.element.hidden) homeScroll = scrollY;
  homeHash = home.link();
  back.href = homeHash;
  leaveRun();
  home.element.hidden = true;
  steps.hidden = false;
  view = opened;
  stage.append(opened.element);
  document.title = escapeInvisible(
    `${row.document.id ?? row.document.name}, ${row.agent}: ${row.run.outcome} – oatf report`,
  );
  const order = home.order();
  const place = order.indexOf(number);
  for (const [link, next] of [
    [before, order[place - 1]],
    [after, order[place + 1]],
  ] as const) {
    link.hidden = next === undefined;
    if (next !== undefined) link.href = runLink(next);
  }
  scrollTo({ top: 0, behavior: 'instant' });
  opened.element.querySelector('h1')?.focus({ preventScroll: true });
  return opened;
}

async function show(): Promise<void> {
  const route = parseRoute(location.hash);
  if (route.view === 'home') {
    asked += 1;
    showHome(route);
    return;
  }
  const opened = await showRun(route.run);
  if (opened !== undefined) opened.show(route);
  else if (rows[route.run] === undefined) location.replace(homeLink('grid'));
}

function commonKey({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return false;
  if (key === '?') help.showModal();
  else if (view === undefined) return false;
  else if (key === ']' && !after.hidden) location.hash = after.hash;
  else if (key === '[' && !before.hidden) location.hash = before.hash;
  else if (key === 'Escape') location.hash = back.hash;
  else return false;
  return true;
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const handled = (view === undefined ? home.key(event) : view.key(event)) || commonKey(event);
  if (handled) event.preventDefault();
});
addEventListener('hashchange', () => void show());
if (isLive) {
  const note = h('p', { class: 'live', role: 'status' }, 'live');
  steps.before(note);
  watch(
    (more) => {
      rows = rowsOf(more);
      home.replace(more, rows);
      if (more.finished !== undefined) note.textContent = 'finished';
      if (view === undefined) document.title = `${formatHeadline(more, rows)} – oatf report`;
    },
    () => {
      note.textContent = 'no longer live';
    },
  );
}
history.scrollRestoration = 'manual';
// A user who opens a link to a run can step to the next run in the grid's order.
if (parseRoute(location.hash).view !== 'home') home.show('grid', new URLSearchParams());
document.getElementById('app')?.append(
  button('Skip to the content', { class: 'skip' }, () => stage.focus()),
  bar,
  stage,
  help,
);
void show();
