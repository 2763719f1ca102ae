import { createConfigSchema } from '../../../src/suite/config/config-shape.ts';
import { table, words } from '../escape.ts';
import type { Source } from '../source.ts';

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** Every setting of a configuration, from the table that also checks it. */
export function settingsPage(): Source {
  const schema = createConfigSchema() as Schema;
  const { targets } = schema.properties ?? {};
  const kinds = typeof targets?.additionalProperties === 'object' ? (targets.additionalProperties.oneOf ?? []) : [];
  const sections = kinds.map((kind) => {
    const key = kind.required?.[0] ?? '';
    return `## Targets with \`${key}\`\n\n${rowsOf(kind)}${inner(kind)}`;
  });
  return {
    path: 'reference/settings',
    markdown: `# Settings\n\nWhat may stand in \`oatf.config.yaml\` (or \`.json\`, \`.ts\`, \`.js\`). [Configuration](/reference/configuration) tells how it is found and what wins over what.\n\n## The file\n\n${rowsOf(schema)}\n${sections.join('\n')}`,
  };
}

function rowsOf({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, setting]) => [
    `\`${name}\`${required.includes(name) ? ' (needed)' : ''}`,
    kindOf(setting),
    words(setting.description ?? ''),
  ]);
  return table(['setting', 'kind', 'what it says'], rows);
}

/** The fields of a setting that is itself a mapping. */
function inner({ properties = {} }: Schema): string {
  return Object.entries(properties)
    .filter(([, { properties }]) => properties !== undefined)
    .map(([name, setting]) => `\nWithin \`${name}\`:\n\n${rowsOf(setting)}`)
    .join('');
}

function kindOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${String(each)}\``).join(', ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(' or ');
  if (schema.type === 'array') return schema.items === undefined ? 'list' : `list of ${kindOf(schema.items)}`;
  if (schema.type === 'object') return 'mapping';
  return kindNames[schema.type ?? ''] ?? 'anything';
}

const kindNames: { readonly [type: string]: string } = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: '`true` or `false`',
};
