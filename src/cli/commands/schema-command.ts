import { generateSchema } from '../../format/generate/schema-part.ts';
import { generateKey } from '../../format/model/generate.ts';
import type { JsonSchema } from '../../format/registry/json-schema.ts';
import { createOwnSchema } from '../../format/registry/own-schema.ts';
import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { writeOutput } from '../write-whole.ts';

export const runSchemaCommand: Command<'schema'> = async ({ config, out }, io) => {
  const made = config
    ? (await import('../../suite/config/config-shape.ts')).createConfigSchema()
    : createDocumentSchema();
  const text = `${JSON.stringify(made, null, 2)}\n`;
  return (await writeOutput(out, text, io)) ?? ok;
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
  return { ...schema, $defs: { ...definitions, Phase: withGenerated('Phase'), Execution: withGenerated('Execution') } };
}
