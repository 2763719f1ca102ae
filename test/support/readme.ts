import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// <!-- output of: oatf … --> or <!-- file: … -->, and the code block after it.
const marked = /<!-- (output of|file): (.+) -->\n```([^\n]*)\n[\s\S]*?```/g;

/** Pages that show the output of commands. */
export const shownPages = ['README.md', 'docs/editors.md', 'docs/first-attack.md', 'docs/sdk.md'] as const;

/** Replaces every marked block by the current output of its command, or by its file. */
export function fillIn(text: string): string {
  return text.replace(marked, (_, kind: string, what: string, language: string) => {
    const content = kind === 'file' ? readFileSync(`${root}/${what}`, 'utf8') : outputOf(what);
    return `<!-- ${kind}: ${what} -->\n\`\`\`${language}\n${content.trimEnd()}\n\`\`\``;
  });
}

/** The output of a command; its results go to a temporary folder. */
function outputOf(command: string): string {
  const [, ...args] = command.split(' ');
  const cwd = mkdtempSync(join(tmpdir(), 'oatf-readme-'));
  for (const shared of ['examples', 'test']) symlinkSync(join(root, shared), join(cwd, shared));
  try {
    const run = spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...args], { cwd, encoding: 'utf8' });
    return run.stdout + run.stderr;
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
