import { wireKey } from '../model/applied-wire-rule.ts';
import { createJsonSchema, type JsonSchema } from './json-schema.ts';
import { createWireRuleSchema } from './wire-rule-keys.ts';

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
