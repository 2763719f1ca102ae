import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandPages } from './made/commands.ts';
import { decisionList } from './made/decisions.ts';
import { diagnosticPages } from './made/diagnostics.ts';
import { libraryPages } from './made/library.ts';
import { modePages } from './made/modes.ts';
import { settingsPage } from './made/settings.ts';
import { type Source, sitePathOf } from './source.ts';

/** Every page of the site: files of the repository, and pages that are generated from tables. */
export function sourcesOf(root: string): readonly Source[] {
  const files = [
    ...markdownBelow(root, 'docs'),
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
    ...libraryPages(root),
    decisionList(files),
  ];
}

function markdownBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();
}
