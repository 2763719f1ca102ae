import { isValueMap, type Value } from '../../../format/model/value.ts';
import type { OfferedTool } from '../model.ts';
import { readResourceName } from '../model-offers.ts';

export interface NamedResource {
  readonly uri: string;
  readonly title: string;
  readonly description: string;
}

/** The resources on offer, which the schema of the reading function lists one by one. */
export function listOfferedResources(tools: readonly OfferedTool[]): readonly NamedResource[] {
  const schema = tools.find(({ name }) => name === readResourceName)?.inputSchema;
  const uri = isValueMap(schema) && isValueMap(schema.properties) ? schema.properties.uri : undefined;
  const options = isValueMap(uri) && Array.isArray(uri.anyOf) ? (uri.anyOf as readonly Value[]) : [];
  return options.flatMap((option) =>
    isValueMap(option) && typeof option.const === 'string'
      ? [
          {
            uri: option.const,
            title: String(option.title ?? ''),
            description: String(option.description ?? ''),
          },
        ]
      : [],
  );
}
