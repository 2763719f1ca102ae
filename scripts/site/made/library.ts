import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../../src/format/load.ts';
import { words } from '../escape.ts';
import { type Source, sitePathOf } from '../source.ts';

/** A page for each document of the library: what it is about, and its source. */
export function libraryPages(root: string): readonly Source[] {
  return readdirSync(join(root, 'scenarios'))
    .filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'))
    .toSorted()
    .flatMap((name) => {
      const path = sitePathOf(`scenarios/${name}`);
      return path === undefined ? [] : [libraryPage(path, readFileSync(join(root, 'scenarios', name), 'utf8'))];
    });
}

function libraryPage(path: string, text: string): Source {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(`${path}: the document is not valid`);
  const { id = '', name, description = '', severity, classification } = loaded.document.attack;
  const facts = [
    ...(severity === undefined ? [] : [`- **Severity:** ${severity.level}\n`]),
    ...(classification?.category === undefined ? [] : [`- **Category:** ${words(classification.category)}\n`]),
  ];
  return {
    path,
    markdown: [
      `# ${id}: ${words(name)}\n\n${words(description)}\n`,
      `${facts.join('')}\n\`\`\`sh\noatf explain ${id}\noatf run ${id} --agent gullible --agent guarded\n\`\`\`\n`,
      `## The document\n\n\`\`\`yaml\n${text.trimEnd()}\n\`\`\`\n`,
    ].join('\n'),
  };
}
