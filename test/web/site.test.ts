import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteAssets } from '../../scripts/site/assets.ts';
import { buildSite } from '../../scripts/site/build-site.ts';
import { type Browser, openBrowser } from '../support/browser.ts';

const startTimeout = 120_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

const sizes = { desktop: { width: 1360, height: 900 }, phone: { width: 360, height: 740 } } as const;
const schemes = ['light', 'dark'] as const;

const barriers = `axe.run(document, { preload: false, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`;

/** A page of every kind. */
const kinds = [
  'index',
  'format/expressions',
  'format/modes/a2a_client',
  'reference/commands/list',
  'reference/diagnostics/V-008',
  'library/OATS-029',
];

describe('the site in a real Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-site-'));
  const { files } = buildSite(root);
  let browser: Browser;

  beforeAll(async () => {
    for (const [path, text] of [...files, ...(await siteAssets(root))]) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    browser = await openBrowser();
  }, startTimeout);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const addressOf = (path: string): string => `file://${folder}/${path}.html`;

  /** A page, and everything that it complained of or asked for beyond the site. */
  async function open(size: keyof typeof sizes, scheme: (typeof schemes)[number]) {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => complaints.push(line.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`file://${folder}/`) && !request.url().startsWith('data:'))
        complaints.push(request.url());
    });
    await show(page, size, scheme);
    return { page, complaints };
  }

  async function show(page: Page, size: keyof typeof sizes, colorScheme: (typeof schemes)[number]) {
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme });
  }

  test.each([
    ['phone', 'light'],
    ['desktop', 'dark'],
  ] as const)('every page of the menu fits a %s, and asks for nothing elsewhere', async (size, scheme) => {
    const { page, complaints } = await open(size, scheme);
    await page.goto(addressOf('index'));
    const addresses = (await page.evaluate(
      "[...document.querySelectorAll('.menu a')].map(({ href }) => href)",
    )) as string[];
    expect(addresses.length).toBeGreaterThan(60);
    const wide: string[] = [];
    for (const address of addresses) {
      await page.goto(address);
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(address);
    }
    expect(wide).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each(kinds)('a page of every kind has no barriers: %s', async (path) => {
    const { page, complaints } = await open('desktop', 'light');
    await page.goto(addressOf(path));
    // Not as a script element: the page's own policy would refuse it.
    await page.evaluate(axe.source);
    for (const size of ['desktop', 'phone'] as const)
      for (const scheme of schemes) {
        await show(page, size, scheme);
        expect([size, scheme, await page.evaluate(barriers)]).toEqual([size, scheme, []]);
      }
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('search: typed, chosen with the keys, opened at its heading', async () => {
    const { page, complaints } = await open('desktop', 'light');
    await page.goto(addressOf('format/modes/mcp_server'));
    await page.keyboard.press('/');
    await page.keyboard.type('benign twin');
    await page.waitForSelector('#found [role=option]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await page.getAttribute('#search', 'aria-activedescendant')).toBe('found-0');
    await page.fill('#search', 'V-008 terminal');
    await page.keyboard.press('Enter');
    await page.waitForURL(/diagnostics\/V-008\.html/);
    await page.focus('#search');
    await page.fill('#search', 'zzzqqq');
    await page.waitForSelector('#found p');
    expect(await page.textContent('#found')).toBe('Nothing found.');
    await page.keyboard.press('Escape');
    expect(await page.isHidden('#found')).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('on a phone the menu is folded, opens, and search works', async () => {
    const { page, complaints } = await open('phone', 'dark');
    await page.goto(addressOf('index'));
    expect(await page.isVisible('.menu h2')).toBe(false);
    await page.click('.menu summary');
    await page.click('.menu a:text-is("Triggers")');
    await page.waitForURL(/format\/triggers\.html/);
    await page.focus('#search');
    await page.fill('#search', 'rug pull');
    await page.click('#found [role=option] >> nth=0');
    await page.waitForURL(/rug-pull/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('without scripts every page is there, with its menu', async () => {
    const page = await browser.context.newPage();
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(addressOf('format/triggers'));
    expect(await page.textContent('h1')).toBe('Triggers');
    await page.setViewportSize(sizes.phone);
    await page.click('.menu summary');
    expect(await page.isVisible('.menu a:text-is("Phases")')).toBe(true);
    await page.close();
  });
});
