import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveReport } from '../../src/report/html/live-report.ts';
import { writeHtmlReport } from '../../src/report/html-report.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { hostile, makeHostileResults } from './hostile-results.ts';
import { makeResults } from './made-results.ts';

const startTimeout = 120_000;

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const;

const barriers = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`;

describe('the report in a real Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-report-'));
  let browser: Browser;
  const reports = {
    made: join(folder, 'made.html'),
    thirty: join(folder, 'thirty.html'),
    hostile: join(folder, 'hostile.html'),
  };

  beforeAll(async () => {
    makeResults(join(folder, 'made'), { runs: 60, messages: 34, repeats: 3, baseline: true });
    writeHtmlReport(join(folder, 'made'), reports.made);
    makeResults(join(folder, 'thirty'), { runs: 360, messages: 3, agents: 30 });
    writeHtmlReport(join(folder, 'thirty'), reports.thirty);
    makeHostileResults(join(folder, 'hostile'));
    writeHtmlReport(join(folder, 'hostile'), reports.hostile);
    browser = await openBrowser();
  }, startTimeout);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The page, and everything that it complained of or asked for. */
  async function open(report: keyof typeof reports, hash = '', size: keyof typeof sizes = 'desktop') {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => complaints.push(line.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) complaints.push(request.url());
    });
    await page.addInitScript(
      "globalThis.violations = []; addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));",
    );
    await page.setViewportSize(sizes[size]);
    await page.goto(`file://${reports[report]}${hash}`);
    return {
      page,
      async complaints() {
        return [...complaints, ...((await page.evaluate('violations')) as string[])];
      },
    };
  }

  const shownRows = (page: Page, list: '.grid' | '.runs'): Promise<unknown> =>
    page.evaluate(`document.querySelector('${list}').getAttribute('aria-rowcount') - 1`);
  const textsOf = (page: Page, selector: string): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('${selector}')].map(({ textContent }) => textContent)`);

  test('narrows the grid by search, counts and filters, and keeps them in the address', async () => {
    const { page, complaints } = await open('made');
    expect(await page.title()).toContain('of 20 attacks succeeded');
    expect(await shownRows(page, '.grid')).toBe(10);
    await page.keyboard.press('/');
    await page.keyboard.type('made-003 alpha');
    expect(await shownRows(page, '.grid')).toBe(1);
    expect(await textsOf(page, '.agent-cell')).toEqual(['alpha']);
    await page.fill('#search', '');
    await page.click('.choice[data-outcome="inconclusive"]');
    expect(await textsOf(page, '.choice[data-outcome="inconclusive"] b')).toEqual([
      String(await page.locator('.cell.is-inconclusive:not(.is-aside)').count()),
    ]);
    await page.click('.more-filters summary');
    await page.selectOption('#filter-agent', 'beta');
    const found = await shownRows(page, '.grid');
    expect(page.url()).toMatch(/#\/\?outcome=inconclusive&agent=beta$/);
    await page.reload();
    expect(await shownRows(page, '.grid')).toBe(found);
    await page.click('.tabs a >> nth=1');
    await page.waitForURL(/#\/runs\?outcome=inconclusive&agent=beta$/);
    // The page handles its new address a moment later.
    await page.waitForSelector('.runs td.column-outcome');
    expect(await textsOf(page, '.runs td.column-outcome')).toContain('inconclusive');
    expect(await complaints()).toEqual([]);
    await page.close();
  });

  test('lets keys move through the grid, open an attack, a run and its evidence, and go back', async () => {
    const { page, complaints } = await open('made', '#/?outcome=exploited');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const second = await page.getAttribute('.cell.is-active', 'title');
    await page.keyboard.press('k');
    expect(await page.getAttribute('.cell.is-active', 'title')).not.toBe(second);
    // One cell is active, and Tab stops at no other.
    expect(await page.locator('.cell.is-active, .cell[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('e');
    await page.waitForSelector('.detail mark');
    expect(await page.textContent('.detail mark')).toBe('canary');
    expect(await page.getAttribute('.attack', 'aria-expanded')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForSelector('article h1');
    await page.keyboard.press('n');
    await page.waitForSelector('.panel mark');
    expect(await page.textContent('.panel mark')).toContain('canary');
    expect(page.url()).toMatch(/#\/run\/\d+\/30$/);
    await page.keyboard.press('s');
    await page.waitForSelector('.source-lines .badge');
    await page.keyboard.press('s');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.panel', { state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.waitForSelector('.grid');
    expect(page.url()).toMatch(/#\/\?outcome=exploited$/);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    expect(await complaints()).toEqual([]);
    await page.close();
  });

  test('shows in a cell the worst of its repeats and how many, and links to such a run', async () => {
    const { page } = await open('made');
    const cell = page.locator('.cell.is-exploited').first();
    expect(await cell.textContent()).toMatch(/exploited\d\/3$/);
    await cell.click();
    await page.waitForSelector('article .is-exploited.badge');
    expect(await page.locator('.repeats a').count()).toBe(3);
    expect(await page.locator('.repeats a[aria-current]').count()).toBe(1);
    await page.close();
  });

  test('lists a benign twin among the runs but counts it under no outcome', async () => {
    const twins = join(folder, 'twins');
    makeResults(twins, { runs: 2, messages: 2 });
    const results = JSON.parse(readFileSync(join(twins, 'results.json'), 'utf8'));
    for (const run of results.runs) run.outcome = 'resisted';
    results.runs[1].twin = true;
    writeFileSync(join(twins, 'results.json'), JSON.stringify(results));
    writeHtmlReport(twins, join(folder, 'twins.html'));
    const { page } = await open('made');
    await page.goto(`file://${join(folder, 'twins.html')}#/runs`);
    expect(await shownRows(page, '.runs')).toBe(2);
    expect(await textsOf(page, '.choice:not([hidden])')).toEqual(['✓1 resisted']);
    await page.click('.choice[data-outcome="resisted"]');
    expect(await shownRows(page, '.runs')).toBe(1);
    await page.close();
  });

  test.each(['desktop', 'phone'] as const)(
    'keeps names in view while the grid of thirty agents scrolls within itself on a %s',
    async (size) => {
      const { page, complaints } = await open('thirty', '', size);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(sizes[size].width);
      for (const key of ['j', ...Array<string>(29).fill('l')]) await page.keyboard.press(key);
      const places = `(() => {
        const left = (selector) => document.querySelector(selector).getBoundingClientRect().left;
        const names = [...document.querySelectorAll('.agent-cell')];
        return {
          attack: left('.grid-rows .attack-cell') - left('.grid'),
          under: left('.cell.is-active') - names.at(-1).getBoundingClientRect().left,
          right: document.querySelector('.cell.is-active').getBoundingClientRect().right <= innerWidth,
        };
      })()`;
      // The names follow the cells with the next frame.
      const stand = { attack: 0, under: expect.closeTo(0, -1), right: true };
      await expect.poll(() => page.evaluate(places), { timeout: 30_000 }).toEqual(stand);
      await page.evaluate('scrollTo(0, 10_000)');
      expect(
        await page.evaluate("document.querySelector('.grid-head').getBoundingClientRect().top"),
      ).toBeGreaterThanOrEqual(0);
      expect(await complaints()).toEqual([]);
      await page.close();
    },
  );

  test('opens a message from its link, marks its evidence and links to the line of its indicator', async () => {
    const { page } = await open('made', '#/run/0');
    await page.click('.indicator .links a >> nth=0');
    await page.waitForSelector('.row.is-selected.has-evidence');
    expect(await page.textContent('.row.is-selected .chip')).toBe('MADE-001-01');
    await page.click('.indicator .links a >> nth=1');
    await page.waitForSelector('.source-lines .is-selected');
    expect(await page.textContent('.source-lines .is-selected code')).toContain('MADE-001-01');
    await page.goBack();
    await page.waitForSelector('.row.is-selected');
    await page.close();
  });

  test('shows hostile content as text and runs none of it', async () => {
    const { page, complaints } = await open('hostile');
    expect(await page.textContent('.attack')).toContain(hostile.attack);
    await page.goto(`file://${reports.hostile}#/run/0/0`);
    await page.waitForSelector('.json');
    const text = await page.evaluate("document.querySelector('.json').innerText");
    expect(text).toContain('\\u001b[2J');
    expect(text).toContain('\\u202e');
    expect(text).toContain('\\ud800');
    expect(text).toContain('characters left out');
    for (const seq of [1, 2, 3, 4]) {
      await page.goto(`file://${reports.hostile}#/run/0/${seq}`);
      await page.waitForSelector(`aside[aria-label="Message ${seq}"]`);
    }
    await page.goto(`file://${reports.hostile}#/run/0/source`);
    await page.waitForSelector('.source-lines code');
    await page.goto(`file://${reports.hostile}#/run/1`);
    await page.waitForSelector('.story .note');
    expect(await page.textContent('.story .note')).toContain('not in the results folder');
    expect(await page.evaluate('globalThis.pwned')).toBe(undefined);
    expect(await complaints()).toEqual([]);
    await page.close();
  });

  test('refuses scripts, styles and markup made from strings, by its security policy', async () => {
    const { page } = await open('made');
    const tried = await page.evaluate(`(() => {
      const script = document.createElement('script');
      let refused = '';
      try { document.body.innerHTML = '<b>x</b>'; } catch ({ name }) { refused = name; }
      try { script.textContent = 'globalThis.pwned = 1'; } catch {}
      document.body.append(script);
      document.body.setAttribute('style', 'color: red');
      return { refused, pwned: globalThis.pwned, colour: document.body.style.color };
    })()`);
    expect(tried).toEqual({ refused: 'TypeError', pwned: undefined, colour: '' });
    await page.close();
  });

  // The grid and a run arrange themselves by the size of the screen when they open. The others only follow it.
  test.each<[hash: string, first: keyof typeof sizes, then?: keyof typeof sizes]>([
    ['#/', 'desktop'],
    ['#/', 'phone'],
    ['#/run/0', 'desktop'],
    ['#/run/0', 'phone'],
    ['#/runs', 'phone', 'desktop'],
    ['#/figures', 'phone', 'desktop'],
    ['#/run/0/30', 'phone', 'desktop'],
    ['#/run/0/source', 'phone', 'desktop'],
  ])('has no accessibility problem and fits the screen: %s on a %s', async (hash, first, then) => {
    const { page, complaints } = await open('made', hash, first);
    await page.waitForSelector(hash.startsWith('#/run/') ? 'article' : '.tabs [aria-current]');
    // Unfolded parts are checked, too.
    if (hash === '#/') await page.click('.attack >> nth=0');
    await page.evaluate(axe.source);
    for (const size of then === undefined ? [first] : [first, then]) {
      await page.setViewportSize(sizes[size]);
      await page.evaluate(`new Promise((resolve) => {
          const look = () => (innerWidth === ${sizes[size].width} ? resolve() : requestAnimationFrame(look));
          requestAnimationFrame(look);
        })`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(sizes[size].width);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([size, colorScheme, await page.evaluate(barriers)]).toEqual([size, colorScheme, []]);
      }
    }
    expect(await complaints()).toEqual([]);
    await page.close();
  });

  test('adds runs while a suite is running, and keeps what someone types', async () => {
    const live = join(folder, 'live');
    makeResults(live, { runs: 6, messages: 5 });
    const whole = JSON.parse(readFileSync(join(live, 'results.json'), 'utf8'));
    rmSync(join(live, 'results.json'));
    const { tool, agents, started } = whole;
    writeFileSync(
      join(live, 'plan.json'),
      JSON.stringify({ version: 1, tool, agents, started, repeat: 1, documents: [1, 2, 3] }),
    );
    const finish = (runs: readonly unknown[]): void =>
      appendFileSync(join(live, 'runs.jsonl'), runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    finish(whole.runs.slice(0, 2));
    const server = await serveReport(live);
    try {
      const { page, complaints } = await open('made');
      await page.goto(`${server.url}#/runs`);
      expect(await shownRows(page, '.runs')).toBe(2);
      expect(await page.textContent('.facts')).toContain('2 of 6 runs finished');
      await page.keyboard.press('/');
      await page.keyboard.type('made');
      finish(whole.runs.slice(2));
      await page.waitForSelector('.runs[aria-rowcount="7"]');
      await page.keyboard.type('-003');
      await page.waitForSelector('.runs[aria-rowcount="3"]');
      writeFileSync(join(live, 'results.json'), JSON.stringify(whole));
      await page.waitForSelector('.live:text("finished")');
      await page.goto(`${server.url}#/run/4/1`);
      await page.waitForSelector('.json');
      expect((await complaints()).filter((each) => !each.startsWith('http://127.0.0.1'))).toEqual([]);
      expect((await fetch(new URL('/', server.url))).status).toBe(404);
      await page.close();
    } finally {
      await server.close();
    }
  });

  test('prints every row on paper', async () => {
    const { page } = await open('made');
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('.grid-line[data-row]').count()).toBe(10);
    expect(await page.locator('.runs tr[data-index]').count()).toBe(60);
    expect(await page.locator('.figures.agents').isVisible()).toBe(true);
    await page.close();
  });
});
