import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { callOatf } from '../run-cli.ts';

test.runIf(existsSync('/proc/self'))(
  'oatf run reports a results folder that cannot be made and exits with 69',
  async () => {
    const { exit, stderr } = await callOatf(
      ['run', 'OATS-001', '--agent', 'guarded', '--out', '/proc/nope'],
      freshFolder(),
    );
    expect(stderr).toContain('/proc/nope: results cannot be written');
    expect(exit).toBe(69);
  },
);
