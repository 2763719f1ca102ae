import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { root, runCommand } from '../run-cli.ts';
import { fitted, readScript } from './read-script.ts';

/** Plays the scripts of a folder beside this file, each in a folder of its own. */
export function playScripts(folder: string): void {
  const scripts = join(root, 'test/cli/scripts', folder);
  for (const name of readdirSync(scripts)) {
    const { steps, files } = readScript(readFileSync(join(scripts, name), 'utf8'));
    describe(`the script test/cli/scripts/${folder}/${name}`, () => {
      const cwd = freshFolder(files);
      test.each(steps.map((step) => [step.line, step.command, step] as const))(
        'gets the output and exit code written at line %i for: %s',
        async (_line, command, step) => {
          const { stdout, stderr, exit } = await runCommand(command, cwd);
          const real = { stdout: linesOf(stdout), stderr: linesOf(stderr), exit };
          expect(real).toEqual({
            stdout: fitted(step.stdout, real.stdout),
            stderr: fitted(step.stderr, real.stderr),
            exit: step.exit,
          });
        },
      );
    });
  }
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
