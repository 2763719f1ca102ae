import { resolve } from 'node:path';
import { generateSchema } from '../../generate/schema-part.ts';
import { generateKey } from '../../model/generate.ts';
import type { JsonSchema } from '../../registry/json-schema.ts';
import { ownSchema } from '../../registry/own-schema.ts';
import { visible } from '../../report/visible.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { ok } from '../outcome.ts';
import { writeWhole } from '../write-whole.ts';

export const schema: Command<'schema'> = async ({ config, out }, io) => {
  const made = config ? (await import('../../config/config-shape.ts')).configSchema() : documentSchema();
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

/**
 * The schema of documents, with generated values (`x-generate`). The SDK's schema leaves them out, because they would
 * make it too large.
 */
function documentSchema(): JsonSchema {
  const schema = ownSchema();
  const definitions = schema.$defs as { readonly [type: string]: JsonSchema };
  const withGenerated = (type: string): JsonSchema => ({
    ...definitions[type],
    properties: { ...(definitions[type]?.properties as JsonSchema), [generateKey]: generateSchema() },
  });
  return {
    ...schema,
    $defs: { ...definitions, Phase: withGenerated('Phase'), Execution: withGenerated('Execution') },
  };
}
