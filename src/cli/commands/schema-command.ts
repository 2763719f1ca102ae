import { resolve } from 'node:path';
import { generateSchema } from '../../format/generate/schema-part.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { generateKey } from '../../format/model/generate.ts';
import type { JsonSchema } from '../../format/registry/json-schema.ts';
import { createOwnSchema } from '../../format/registry/own-schema.ts';
import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { writeWhole } from '../write-whole.ts';

export const runSchemaCommand: Command<'schema'> = async ({ config, out }, io) => {
  const made = config
    ? (await import('../../suite/config/config-shape.ts')).createConfigSchema()
    : createDocumentSchema();
  const text = `${JSON.stringify(made, null, 2)}\n`;
  if (out === undefined) {
    await io.stdout.write(text);
    return ok;
  }
  const failure = writeWhole(resolve(io.cwd, out), text);
  return failure === undefined
    ? ok
    : complain(io, 'unavailable', `${escapeInvisible(out)}: cannot be written: ${failure}`);
};

/**
 * The schema of documents, with generated values (`x-generate`). The SDK's schema leaves them out, because they would
 * make it too large.
 */
function createDocumentSchema(): JsonSchema {
  const schema = createOwnSchema();
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
