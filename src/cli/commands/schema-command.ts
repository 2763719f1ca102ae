import { generateSchema } from '../../format/generate/check-entry.ts';
import { generateKey, wireKey } from '../../format/model/extension-keys.ts';
import { createJsonSchema, type JsonSchema } from '../../format/registry/json-schema.ts';
import { createWireRuleSchema } from '../../format/registry/wire-rule-keys.ts';
import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { createRefusal } from '../io.ts';
import { writeOutput } from '../write-whole.ts';

export const runSchemaCommand: Command<'schema'> = async ({ config, results, out }, io) => {
  if (config && results)
    return createRefusal('schema', io)('--config and --results cannot both be printed', 'give one of them');
  const made = config
    ? (await import('../../suite/config/config-shape.ts')).createConfigSchema()
    : results
      ? (await import('../../suite/store/results-schema.ts')).resultsSchema
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

/** Makes the JSON Schema of the format together with those of our extensions that the SDK leaves out. */
export function createOwnSchema(): JsonSchema {
  const schema = createJsonSchema() as { readonly $defs: { readonly [type: string]: JsonSchema } };
  const { $defs } = schema;
  const rules = {
    type: 'array',
    items: { $ref: '#/$defs/WireRule' },
    description: 'How messages are sent; inherited as state is.',
  };
  const withRules = (type: JsonSchema | undefined): JsonSchema => ({
    ...type,
    properties: { ...(type?.properties as JsonSchema), [wireKey]: rules },
  });
  return {
    ...schema,
    $defs: {
      ...$defs,
      Phase: withRules($defs.Phase),
      Execution: withRules($defs.Execution),
      WireRule: createWireRuleSchema(),
    },
  };
}
