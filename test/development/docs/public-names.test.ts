import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicNames } from '../public-types/public-names-of.ts';
import { pages, root } from './fences.ts';

// A name that is published is a promise, so a page that a person wrote says what it is for.

/** Pages that a program writes, and pages for those who work on this project. */
const notForUsers = /^docs\/(?:codes|development)\//;
/** Parts of pages that a program writes. */
const generated = /<!-- victims -->[\s\S]*?<!-- \/victims -->|<!-- output of: .*?-->\n```[\s\S]*?```/g;

/** The words in the code of a page. */
function readCodeWords(page: string): readonly string[] {
  const code = page.replaceAll(generated, '').match(/^```[\s\S]*?^```|`[^`\n]+`/gm) ?? [];
  return code.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);
}

const mentioned = new Set(
  pages
    .filter((page) => !notForUsers.test(page))
    .flatMap((page) => readCodeWords(readFileSync(join(root, page), 'utf8'))),
);

const entries = {
  oatf: 'src/index.ts',
  'oatf/runtime': 'src/runtime.ts',
  'oatf/protocol': 'src/protocol.ts',
  'oatf/testing': 'src/testing/testing.ts',
  'oatf/config': 'src/suite/config/config.ts',
};
const names = publicNames(Object.fromEntries(Object.values(entries).map((entry) => [entry, []])));

describe('every public name is mentioned by a page that a person wrote', () => {
  test.each(Object.entries(entries))('%s', (_, entry) => {
    const published = (names.get(entry) ?? []).map(({ name }) => name);
    expect(published.length).toBeGreaterThan(10);
    expect(published.filter((name) => !mentioned.has(name))).toEqual([]);
  });
});

test('a name that only prose, or the output of a command, mentions does not count', () => {
  const output = '<!-- output of: oatf list -->\n```\nplaySuite\n```\n';
  expect(readCodeWords(`Of load and \`parse\`.\n\n${output}\n\`\`\`ts\nattack()\n\`\`\`\n`)).toEqual([
    'parse',
    'ts',
    'attack',
  ]);
});
