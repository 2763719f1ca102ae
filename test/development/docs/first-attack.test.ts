import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { root, runCommand } from '../../cli/run-cli.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

// Follows the section "Write your own" as a reader would: runs every command, and puts every block of YAML where the
// page says.

const page =
  readFileSync(join(root, 'docs/guides/first-attack.md'), 'utf8')
    .split(/^## (?=Write your own|Attack your own agent)/m)
    .find((part) => part.startsWith('Write your own')) ?? '';
const blocks = [...page.matchAll(/^```(sh|yaml|text)\b.*\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

type Parsed = ReturnType<typeof parse>;

function change(path: string, edit: (document: Parsed) => void): void {
  const document = parse(readFileSync(path, 'utf8'));
  edit(document);
  writeFileSync(path, stringify(document));
}

test('docs/guides/first-attack.md leads from a template to a test that passes', async () => {
  const folder = freshFolder();
  const attack = join(folder, 'attacks/calendar.yaml');
  const tests = join(folder, 'attacks/calendar.test.yaml');
  const edits: readonly ((value: Parsed) => void)[] = [
    ([actor]) =>
      change(attack, ({ attack: { execution } }) => {
        execution.actors = [execution.actors[0], actor];
      }),
    (marks) => change(attack, (document) => void Object.assign(document.attack, marks)),
    (cases) => change(tests, (document) => void document.tests.push(...cases)),
  ];
  let edited = 0;
  let stdout = '';
  const exits: (number | null)[] = [];
  for (const { kind, text } of blocks) {
    if (kind === 'yaml') {
      edits[edited]?.(parse(text));
      edited += 1;
    } else if (kind === 'text') for (const line of text.trimEnd().split('\n')) expect(stdout).toContain(line);
    else {
      const ended = [];
      for (const command of text.trimEnd().split('\n')) ended.push(await runCommand(command, folder));
      stdout = ended.map((each) => each.stdout).join('');
      exits.push(...ended.map(({ exit }) => exit));
    }
  }
  expect(edited).toBe(edits.length);
  // The exit codes: new, explain and validate succeed; run finds an exploit; of two tries one holds; test succeeds.
  expect(exits).toEqual([0, 0, 0, 1, 0, 1, 0]);
}, 120_000);
