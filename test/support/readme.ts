import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// <!-- output of: oatf … --> or <!-- file: … -->, and the code block behind it.
const marked = /<!-- (output of|file): (.+) -->\n```(\w*)\n[\s\S]*?```/g;

/** The text with every marked block replaced by what the command prints, or the file holds, now. */
export function fillIn(text: string): string {
  return text.replace(marked, (_, kind: string, what: string, language: string) => {
    const content = kind === 'file' ? readFileSync(`${root}/${what}`, 'utf8') : outputOf(what);
    return `<!-- ${kind}: ${what} -->\n\`\`\`${language}\n${content.trimEnd()}\n\`\`\``;
  });
}

function outputOf(command: string): string {
  const [, ...args] = command.split(' ');
  const run = spawnSync(process.execPath, ['dist/cli.js', ...args], { cwd: root, encoding: 'utf8' });
  return run.stdout + run.stderr;
}
