import type { ModelInput } from '../../src/agents/built-in/model.ts';
import { namesTool } from '../../src/agents/built-in/policies/tool-names.ts';
import { unhide } from '../../src/agents/built-in/policies/unhide.ts';
import { isValueMap, type Value } from '../../src/format/model/value.ts';

/**
 * Maps each tool's name in the framework to the name that texts use for it. Many frameworks put the server's name
 * before the tool's: a text that says `report_usage` means `stays_report_usage`.
 */
export function ownNames({ system, messages, tools }: ModelInput): ReadonlyMap<string, string> {
  // Texts of the model itself are left out, because they use the framework's names.
  const texts = [
    system,
    ...messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content),
    ...tools.flatMap(({ description, inputSchema }) => [description, ...sentencesIn(inputSchema)]),
  ];
  const read = texts.map(unhide).join('\n');
  const taken = new Set(tools.map(({ name }) => name));
  const own = new Map<string, string>();
  for (const { name } of tools) {
    const meant = namesTool(read, name) ? undefined : endingsOf(name).find((end) => namesTool(read, end));
    // If two servers have a tool of the same name, the first one is meant.
    const isFree = meant !== undefined && !taken.has(meant);
    if (isFree) taken.add(meant);
    own.set(name, isFree ? meant : name);
  }
  return own;
}

/** The endings of a name: `mcp_stays_report_usage` → stays_report_usage, report_usage, usage. */
function endingsOf(name: string): readonly string[] {
  return [...name.matchAll(/[^\p{L}\p{N}]+/gu)]
    .map(({ index, 0: separator }) => name.slice(index + separator.length))
    .filter((end) => end !== '');
}

/** The sentences in a schema; the names of its properties are not sentences. */
function sentencesIn(schema: Value): readonly string[] {
  if (typeof schema === 'string') return schema.includes(' ') ? [schema] : [];
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = isValueMap(schema) ? Object.values(schema) : (schema as readonly Value[]);
  return inner.flatMap(sentencesIn);
}
