import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fitted, readScript } from './cli/read-script.ts';
import { freshFolder, root, runShell } from './cli/run-cli.ts';

const scripts = join(root, 'test/cli');

for (const name of readdirSync(scripts).filter((file) => file.endsWith('.txt'))) {
  const { steps, files } = readScript(readFileSync(join(scripts, name), 'utf8'));
  describe(name, () => {
    const folder = freshFolder(files);
    test.each(steps.map((step) => [step.line, step.command, step] as const))(
      'line %i: %s',
      (_line, command, step) => {
        const { stdout, stderr, exit } = runShell(command, folder);
        const real = { stdout: linesOf(stdout), stderr: linesOf(stderr), exit };
        const { stdout: out, stderr: err } = step;
        expect(real).toEqual({
          stdout: fitted(out, real.stdout),
          stderr: fitted(err, real.stderr),
          exit: step.exit,
        });
      },
    );
  });
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
