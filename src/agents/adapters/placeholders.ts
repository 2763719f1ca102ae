import { stringifyJson } from '../../format/model/json-text-values.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import type { Briefing } from './agent-under-test.ts';

// Placeholders in the command, variables, headers and bodies of a target. Attack documents have none of them.

/** Returns the value of a placeholder; undefined if the name is unknown here. */
export type Lookup = (name: string) => Value | undefined;

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Thrown for a placeholder that has no value. */
export class UnfilledPlaceholder extends Error {
  override readonly name = 'UnfilledPlaceholder';
}

/** Looks up the placeholders that every target has. */
export function createBriefingLookup(
  { endpoints, mcpConfig, a2aCards }: Briefing,
  environment: { readonly [name: string]: string | undefined },
): Lookup {
  return (name) => {
    if (name === 'mcp_config') return mcpConfig as unknown as Value;
    if (name === 'a2a_cards') return a2aCards.join(',');
    const [, variable] = /^env\.(\w+)$/.exec(name) ?? [];
    if (variable !== undefined) return environment[variable];
    const [, actor] = /^actors\.([A-Za-z0-9_-]+)\.url$/.exec(name) ?? [];
    return actor !== undefined && Object.hasOwn(endpoints, actor) ? endpoints[actor]?.url : undefined;
  };
}

/** Asks several lookups in turn; the first one that knows the name wins. */
export function chainLookups(...lookups: readonly Lookup[]): Lookup {
  return (name) => {
    for (const lookup of lookups) {
      const value = lookup(name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

export function fillText(text: string, lookup: Lookup): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = requirePlaceholder(name, lookup);
    return typeof value === 'string' ? value : stringifyJson(value);
  });
}

/** Fills the placeholders in every text of a value. A text that consists of one placeholder becomes the value itself. */
export function fillValue(value: Value, lookup: Lookup): Value {
  if (typeof value === 'string') {
    const [, name] = /^\{\{([^{}]*)\}\}$/.exec(value) ?? [];
    return name === undefined ? fillText(value, lookup) : requirePlaceholder(name, lookup);
  }
  if (Array.isArray(value)) return value.map((item: Value) => fillValue(item, lookup));
  if (!isValueMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, lookup)]));
}

export function findPlaceholders(value: Value): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(placeholder)].map(([, name = '']) => name.trim());
  if (Array.isArray(value)) return value.flatMap((item: Value) => findPlaceholders(item));
  return isValueMap(value) ? Object.values(value).flatMap(findPlaceholders) : [];
}

function requirePlaceholder(name: string, lookup: Lookup): Value {
  const value = lookup(name.trim());
  if (value === undefined) throw new UnfilledPlaceholder(`{{${name}}} has no value here`);
  return value;
}
