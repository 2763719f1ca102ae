import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { callOatf, root } from '../cli/run-cli.ts';
import { freshFolder } from './fresh-folder.ts';

// <!-- output of: oatf … --> or <!-- file: … -->, and the code block after it.
const marked = /<!-- (output of|file): (.+) -->\n```([^\n]*)\n[\s\S]*?```/g;

/** Pages that show the output of commands. */
export const shownPages = [
  'README.md',
  'docs/reference/editors.md',
  'docs/guides/first-attack.md',
  'docs/guides/suites.md',
  'docs/reference/sdk.md',
] as const;

/** Replaces every marked block by the current output of its command, or by its file. */
export async function fillIn(text: string): Promise<string> {
  let filled = '';
  let end = 0;
  for (const { 0: block, 1: kind, 2: what = '', 3: language, index } of text.matchAll(marked)) {
    const content = kind === 'file' ? readFileSync(`${root}/${what}`, 'utf8') : await outputOf(what);
    filled += `${text.slice(end, index)}<!-- ${kind}: ${what} -->\n\`\`\`${language}\n${content.trimEnd()}\n\`\`\``;
    end = index + block.length;
  }
  return filled + text.slice(end);
}

/** The output of a command; its results go to a temporary folder. */
async function outputOf(command: string): Promise<string> {
  const [, ...args] = command.split(' ');
  const cwd = freshFolder();
  for (const shared of ['examples', 'test']) symlinkSync(join(root, shared), join(cwd, shared));
  try {
    const { stdout, stderr } = await callOatf(args, cwd);
    return stdout + stderr;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** Times differ between runs, so they are left out. */
export function timeless(text: string): string {
  return text
    .replace(/ +\d+(?:\.\d+)? m?s(?=$| {2}task )/gm, ' (time)')
    .replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/g, '(time)')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:(port)');
}
