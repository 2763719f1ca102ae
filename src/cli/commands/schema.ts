import { resolve } from 'node:path';
import { ownSchema } from '../../registry/own-schema.ts';
import { visible } from '../../report/visible.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { ok } from '../outcome.ts';
import { writeWhole } from '../write-whole.ts';

export const schema: Command<'schema'> = async ({ config, out }, io) => {
  const made = config ? (await import('../../config/config-shape.ts')).configSchema() : ownSchema();
  const text = `${JSON.stringify(made, null, 2)}\n`;
  if (out === undefined) {
    await io.stdout.write(text);
    return ok;
  }
  const failure = writeWhole(resolve(io.cwd, out), text);
  return failure === undefined
    ? ok
    : complain(io, 'unavailable', `${visible(out)}: cannot be written: ${failure}`);
};
