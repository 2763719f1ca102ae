import { describe, expect, test } from 'vitest';
import { buildSite } from '../../scripts/site/build-site.ts';
import { sourcesOf } from '../../scripts/site/sources.ts';
import { commands } from '../../src/cli/commands.ts';
import { explanations } from '../../src/cli/explanations.ts';
import { knownModes } from '../../src/registry/modes.ts';
import { find, type Passage } from '../../web/site/find.ts';
import { root } from './fences.ts';

const sources = sourcesOf(root);
const site = buildSite(root, sources);

test('no link leads nowhere, and every page is in the menu', () => {
  expect(site.problems).toEqual([]);
  expect(site.pages.length).toBeGreaterThan(300);
});

test.each([
  ['diagnostic', 'reference/diagnostics', Object.keys(explanations)],
  ['command', 'reference/commands', Object.keys(commands)],
  ['mode', 'format/modes', knownModes()],
])('every %s has a page', (_what, folder, names) => {
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !site.files.has(`${folder}/${name}.html`))).toEqual([]);
});

test('pages load nothing but their own style and script', () => {
  const loaded = new Set<string>();
  for (const [path, text] of site.files)
    for (const [, tag, address = ''] of text.matchAll(
      /<(link|script|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g,
    ))
      if (path.endsWith('.html')) loaded.add(`${tag} ${address.replace(/^(?:\.\.\/)*/, '')}`);
  expect([...loaded].toSorted()).toEqual(['link data:,', 'link site.css', 'script site.js']);
});

describe('what fails the build', () => {
  const cases = [
    ['a link to no file', '# A\n\n[b](nothing.md)', 'the link nothing.md leads nowhere'],
    ['a link out of the repository', '# A\n\n[b](../../etc.md)', 'the link ../../etc.md leads nowhere'],
    [
      'an anchor of another page',
      '# A\n\n[b](marks.md#none)',
      'the link marks.md#none leads to no heading of its page',
    ],
    ['an anchor of its own', '# A\n\n[b](#none)', 'the link #none leads to no heading of its page'],
    ['HTML', '# A\n\n<b>bold</b>', 'HTML in Markdown: <b>'],
    ['no title', 'text', 'the page has no title'],
  ] as const;
  const bad = cases.map(([, markdown], index) => ({
    path: `bad-${index}`,
    file: `docs/bad-${index}.md`,
    markdown,
  }));
  const { problems } = buildSite(root, [...sources, ...bad]);

  test.each(cases.map(([name, , problem], index) => [name, `docs/bad-${index}.md: ${problem}`]))(
    '%s',
    (_name, problem) => {
      expect(problems).toContain(problem);
    },
  );

  test('a page that no menu has', () => {
    expect(problems).toContain('bad-0 is not in the menu');
  });

  test('a menu that names no page', () => {
    const { problems } = buildSite(
      root,
      sources.filter(({ path }) => path !== 'wire'),
    );
    expect(problems).toContain('the menu names docs/wire.md, which is no page');
  });
});

describe('search finds', () => {
  const text = site.files.get('search-index.js') ?? '';
  const passages: readonly Passage[] = JSON.parse(text.slice(text.indexOf('=') + 1).replace(/;\s*$/, ''));
  test.each([
    ['triggers', 'format/triggers'],
    ['V-008', 'reference/diagnostics/V-008'],
    ['rug pull count', 'cookbook/rug-pull-by-count'],
    ['elicitation', 'cookbook/elicitation'],
    ['oatf record', 'reference/commands/record'],
    ['benign twin', 'marks'],
  ])('%s', (typed, path) => {
    const found = find(typed, passages).map(({ passage }) => passage[0]);
    expect(found.slice(0, 5)).toContain(path);
  });

  test.each(['', '   ', 'zzzqqq'])('nothing for "%s"', (typed) => {
    expect(find(typed, passages)).toEqual([]);
  });
});
