import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../../test/honesty/rows.ts';
import { commandPages } from './made/commands.ts';
import { diagnosticPages } from './made/diagnostics.ts';
import { libraryPages } from './made/library.ts';
import { modePages } from './made/modes.ts';
import { outcomesPage } from './made/outcomes.ts';
import { settingsPage } from './made/settings.ts';
import { wirePage } from './made/wire.ts';
import { type Source, sitePathOf } from './source.ts';

/** Every page of the site: files of the repository, and pages that are generated from tables. */
export function sourcesOf(root: string): readonly Source[] {
  const files = [
    // Pages of codes are made from these files and the tables of rules.
    ...markdownBelow(root, 'docs').filter((file) => !file.startsWith('docs/codes/')),
    ...['scenarios/README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ].map((file): Source => {
    const path = sitePathOf(file);
    if (path === undefined) throw new Error(`${file} has no place on the site`);
    return { path, file, markdown: readFileSync(join(root, file), 'utf8') };
  });
  return [
    ...files,
    ...modePages(),
    ...commandPages(),
    settingsPage(),
    ...diagnosticPages(),
    outcomesPage(rows),
    wirePage(),
    ...libraryPages(root),
  ];
}

function markdownBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();
}
