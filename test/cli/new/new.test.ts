import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDocument, readFirstTests, runNewCommand } from '../../../src/cli/commands/new-command.ts';
import type { Arguments } from '../../../src/cli/commands.ts';
import { goalChoices, surfaceChoices, surfaces } from '../../../src/cli/new/choices.ts';
import { findMismatches } from '../../../src/cli/test/found-results.ts';
import { runCases } from '../../../src/cli/test/run-cases.ts';
import { readTestFile } from '../../../src/cli/test/test-file.ts';
import { diagnoseMarked, loadMarked } from '../../../src/format/load-marked.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { terminal } from '../../support/terminal.ts';

// For every choice, the written document is clean and passes its own test.

const all = surfaceChoices.flatMap((surface) => goalChoices.map((goal) => [surface, goal] as const));
const made = (surface: (typeof all)[number][0], goal: (typeof all)[number][1]): string =>
  makeDocument({ surface, goal, id: 'MINE-001', name: 'A calendar' });

test.each(all)('makeDocument: writes a document without diagnostics for surface %s and goal %s', (surface, goal) => {
  expect(diagnoseMarked(made(surface, goal))).toEqual([]);
});

// Each surface and each goal is played once; all pairs would show nothing more.
test.each(all.filter((_, index) => index % 4 === 0 || index % 4 === 3))(
  'makeDocument: writes a document that passes its own tests for surface %s and goal %s',
  async (surface, goal) => {
    const text = made(surface, goal);
    const loaded = loadMarked(text);
    const read = readTestFile(readFirstTests());
    if (!loaded.ok || !read.ok) throw new Error('it is not valid');
    const playable = { document: loaded.document, file: 'mine.yaml', text, warnings: [] };
    const results = await runCases(read.file, playable, {} as never, new AbortController());
    const wrong = [...results].flatMap(([each, result]): readonly unknown[] =>
      result.ok ? findMismatches(each.expect, result.found) : [result.problem],
    );
    expect(results.size).toBe(3);
    expect(wrong).toEqual([]);
  },
  120_000,
);

describe('oatf new on a terminal', () => {
  const unanswered: Arguments<'new'> = {
    file: 'attacks/mine.yaml',
    protocol: undefined,
    surface: undefined,
    goal: undefined,
    id: 'MINE-001',
    name: undefined,
  };

  async function answered(values: Partial<Arguments<'new'>>, ...typed: string[]) {
    const folder = freshFolder();
    const { io, shown } = terminal(folder, typed);
    const { exit } = await runNewCommand({ ...unanswered, ...values }, io);
    const file = join(folder, 'attacks/mine.yaml');
    const written = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    return { exit, written, shown: shown.join('') };
  }

  const named = (surface: (typeof all)[number][0], goal: (typeof all)[number][1]): string =>
    makeDocument({ surface, goal, id: 'MINE-001', name: `An order in ${surfaces[surface].says}` });

  test.each([
    ['accepts numbers as answers', {}, ['2\n', '2\n'], named('tool-response', 'act')],
    ['accepts names as answers', {}, ['resource\n', 'act\n'], named('resource', 'act')],
    ['takes the first choice for an empty answer', {}, ['\n', '\n'], named('tool-description', 'exfiltrate')],
    [
      'does not ask for what was given on the command line',
      { surface: 'card' as const },
      ['2\n'],
      named('card', 'act'),
    ],
    [
      'offers only the surfaces of the given protocol',
      { protocol: 'a2a' as const },
      ['2\n', '1\n'],
      named('task-response', 'exfiltrate'),
    ],
    ['asks again after a wrong answer', {}, ['99\n', '3\n', '\n'], named('instructions', 'exfiltrate')],
  ])('%s', async (_, values, typed, text) => {
    expect(await answered(values, ...typed)).toMatchObject({ exit: 'ok', written: text });
  });

  test.each([[[]], [['1\n']], [['99\n', '98\n', '97\n']]])(
    'writes nothing and exits with a usage error for the answers %j',
    async (typed) => {
      const { exit, written, shown } = await answered({}, ...typed);
      expect([exit, written]).toEqual(['usage', undefined]);
      expect(shown).toContain('nothing was written');
    },
  );
});
