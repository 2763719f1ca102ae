import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteAssets } from '../../scripts/site/assets.ts';
import { buildSite } from '../../scripts/site/build-site.ts';
import { sourcesOf } from '../../scripts/site/sources.ts';
import { commands } from '../../src/cli/commands.ts';
import { explainedCodes } from '../../src/cli/explanations.ts';
import { knownModes } from '../../src/format/registry/known-modes.ts';
import { find, type Passage } from '../../web/site/find.ts';
import { type Browser, openBrowser } from '../support/browser.ts';

const startTimeout = 120_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = sourcesOf(root);
const site = buildSite(root, sources);

test('the site has no broken link, and every page is in the menu', () => {
  expect(site.problems).toEqual([]);
  expect(site.pages.length).toBeGreaterThan(300);
});

test.each([
  ['diagnostic', 'reference/diagnostics', explainedCodes],
  ['command', 'reference/commands', Object.keys(commands)],
  ['mode', 'reference/format/modes', knownModes()],
])('the site has a page for every %s', (_what, folder, names) => {
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !site.files.has(`${folder}/${name}.html`))).toEqual([]);
});

test('pages of the site load nothing but their own style and script', () => {
  const loaded = new Set<string>();
  for (const [path, text] of site.files)
    for (const [, tag, address = ''] of text.matchAll(
      /<(link|script|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g,
    ))
      if (path.endsWith('.html')) loaded.add(`${tag} ${address.replace(/^(?:\.\.\/)*/, '')}`);
  expect([...loaded].toSorted()).toEqual(['link data:,', 'link site.css', 'script site.js']);
});

describe('buildSite reports', () => {
  const cases = [
    ['a link to a file that is not there', '# A\n\n[b](nothing.md)', 'the link nothing.md leads nowhere'],
    [
      'an address in the repository where there is no file',
      '# A\n\n[b](https://github.com/oatf/oatf/blob/main/docs/none.md)',
      'the link https://github.com/oatf/oatf/blob/main/docs/none.md leads nowhere',
    ],
    ['a link out of the repository', '# A\n\n[b](../../etc.md)', 'the link ../../etc.md leads nowhere'],
    [
      'a link to an anchor that another page does not have',
      '# A\n\n[b](extensions/payload.md#none)',
      'the link extensions/payload.md#none leads to no heading of its page',
    ],
    [
      'a link to an anchor that the page does not have',
      '# A\n\n[b](#none)',
      'the link #none leads to no heading of its page',
    ],
    ['HTML in Markdown', '# A\n\n<b>bold</b>', 'HTML in Markdown: <b>'],
    ['a page without a title', 'text', 'the page has no title'],
  ] as const;
  const bad = cases.map(([, markdown], index) => ({
    path: `bad-${index}`,
    file: `docs/bad-${index}.md`,
    markdown,
  }));
  const { problems } = buildSite(root, [...sources.filter(({ path }) => path !== 'extensions/wire'), ...bad]);

  test.each(cases.map(([name, , problem], index) => [name, `docs/bad-${index}.md: ${problem}`]))(
    '%s',
    (_name, problem) => {
      expect(problems).toContain(problem);
    },
  );

  test('a page that is not in the menu', () => {
    expect(problems).toContain('bad-0 is not in the menu');
  });

  test('a menu entry that names no page', () => {
    expect(problems).toContain('the menu names docs/extensions/wire.md, which is no page');
  });
});

test('an address of a page in the repository leads to the page on the site', () => {
  expect(site.files.get('contributing.html')).toContain('href="development/glossary.html"');
});

describe('the search of the site', () => {
  const text = site.files.get('search-index.js') ?? '';
  const passages: readonly Passage[] = JSON.parse(text.slice(text.indexOf('=') + 1).replace(/;\s*$/, ''));
  test.each([
    ['triggers', 'reference/format/triggers'],
    ['V-008', 'reference/diagnostics/V-008'],
    ['rug pull count', 'guides/cookbook/rug-pull-by-count'],
    ['elicitation', 'guides/cookbook/elicitation'],
    ['oatf record', 'reference/commands/record'],
    ['benign twin', 'extensions/payload'],
  ])('finds %s', (typed, path) => {
    const found = find(typed, passages).map(({ passage }) => passage[0]);
    expect(found.slice(0, 5)).toContain(path);
  });

  test.each(['', '   ', 'zzzqqq'])('finds nothing for "%s"', (typed) => {
    expect(find(typed, passages)).toEqual([]);
  });
});

const sizes = { desktop: { width: 1360, height: 900 }, phone: { width: 360, height: 740 } } as const;
const schemes = ['light', 'dark'] as const;

const barriers = `axe.run(document, { preload: false, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`;

/** Runs in every frame: tells the page around it how wide the content is, when it has loaded and when asked. */
const tellWidth = `if (parent !== self) {
  const tell = () => parent.postMessage([location.href, document.documentElement.scrollWidth], '*');
  addEventListener('load', tell);
  // The page notices a new width before the next frame is drawn.
  addEventListener('message', () => requestAnimationFrame(tell));
}`;

/** Opens pages in frames, and returns their widths. What is not visible is laid out, but not painted. */
const openFrames = `async (addresses, width) => {
  const widths = {};
  for (const src of addresses) {
    const frame = Object.assign(document.createElement('iframe'), { src, width, height: 740 });
    frame.style = 'position: fixed; inset: 0 auto auto 0; border: 0; visibility: hidden';
    const told = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
    document.body.append(frame);
    const { data: [address, found] } = await told;
    widths[address] = found;
  }
  return widths;
}`;

const resizeFrames = `async (width) => {
  const frames = [...document.querySelectorAll('iframe')];
  const widths = {};
  const told = new Promise((resolve) => {
    let missing = frames.length;
    addEventListener('message', ({ data: [address, found] }) => {
      widths[address] = found;
      if (--missing === 0) resolve(widths);
    });
  });
  for (const frame of frames) {
    frame.width = width;
    frame.contentWindow.postMessage('how wide?', '*');
  }
  return told;
}`;

/** A page of every kind. */
const kinds = [
  'index',
  'reference/format/expressions',
  'reference/format/modes/a2a_client',
  'reference/commands/list',
  'reference/diagnostics/V-008',
  'library/OATS-029',
];

describe('the site in a real Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-site-'));
  let browser: Browser;

  beforeAll(async () => {
    for (const [path, text] of [...site.files, ...(await siteAssets(root))]) {
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

  test('fits every page of the menu to a phone and a desktop, and requests nothing elsewhere', async () => {
    const { page, complaints } = await open('desktop', 'light');
    await page.goto(addressOf('index'));
    const addresses = (await page.evaluate(
      "[...document.querySelectorAll('.menu a')].map(({ href }) => href)",
    )) as string[];
    expect(addresses.length).toBeGreaterThan(60);
    // All pages stay open in frames, one upon the other: loading and painting each in the window costs three times as much.
    writeFileSync(join(folder, 'frames.html'), '<!doctype html><html lang="en"><title>frames</title>');
    await page.addInitScript(tellWidth);
    await page.goto(addressOf('frames'));
    const widths = {
      phone: await page.evaluate(`(${openFrames})(${JSON.stringify(addresses)}, ${sizes.phone.width})`),
      desktop: await page
        .emulateMedia({ colorScheme: 'dark' })
        .then(() => page.evaluate(`(${resizeFrames})(${sizes.desktop.width})`)),
    };
    const each = (width: number) => Object.fromEntries(addresses.map((address) => [address, width]));
    expect(widths).toEqual({ phone: each(sizes.phone.width), desktop: each(sizes.desktop.width) });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each(kinds)('has no accessibility problem on a page of each kind: %s', async (path) => {
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

  test('finds a page by typing, chooses it with the keys, and opens it at its heading', async () => {
    const { page, complaints } = await open('desktop', 'light');
    await page.goto(addressOf('reference/format/modes/mcp_server'));
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

  test('folds its menu on a phone, and opens it and searches there', async () => {
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

  test('shows every page and its menu without scripts', async () => {
    const page = await browser.context.newPage();
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(addressOf('reference/format/triggers'));
    expect(await page.textContent('h1')).toBe('Triggers');
    await page.setViewportSize(sizes.phone);
    await page.click('.menu summary');
    expect(await page.isVisible('.menu a:text-is("Phases")')).toBe(true);
    await page.close();
  });
});
