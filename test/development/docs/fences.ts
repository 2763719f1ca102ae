import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Blocks of code in pages. The words after the language say what the block is, so that a test knows how to check it:
// ```yaml state mcp_server. GitHub and the site show it as plain YAML.

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Fence {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** The kind of fragment; undefined for a complete document. */
  readonly kind: string;
  /** Further words, such as a mode. */
  readonly words: readonly string[];
  readonly text: string;
}

export const pages: readonly string[] = [
  'README.md',
  'scenarios/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .toSorted(),
];

export function fencesOf(page: string): readonly Fence[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const fences: Fence[] = [];
  let opened: { readonly line: number; readonly indent: number; readonly info: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const [, indent = '', info = ''] = /^( *)```(.*)$/.exec(line) ?? [];
    if (!/^ *```/.test(line)) continue;
    if (opened === undefined) {
      opened = { line: index + 1, indent: indent.length, info };
      continue;
    }
    const [language = '', kind = '', ...words] = opened.info.split(' ');
    const text = lines
      .slice(opened.line, index)
      .map((each) => `${each.slice(opened?.indent)}\n`)
      .join('');
    fences.push({ page, line: opened.line, language, kind, words, text });
    opened = undefined;
  }
  return fences;
}

export function isDocument({ language, kind, text }: Fence): boolean {
  return language === 'yaml' && kind === '' && /^(?:#.*\n)*oatf:/.test(text);
}
