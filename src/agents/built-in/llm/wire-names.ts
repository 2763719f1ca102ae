import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import type { OfferedTool } from '../model.ts';

const longest = 64;

/** Maps tool names to names that services accept, and back: a server may give its tools any name. */
export interface WireNames {
  toWire(name: string): string;
  fromWire(name: string): string;
}

export function createWireNames(tools: readonly OfferedTool[]): WireNames {
  const wire = new Map<string, string>();
  const own = new Map<string, string>();
  for (const { name } of tools) {
    const base = toPlainName(name);
    let unique = base;
    for (let count = 2; own.has(unique); count++)
      unique = `${base.slice(0, longest - 1 - String(count).length)}_${count}`;
    wire.set(name, unique);
    own.set(unique, name);
  }
  // A history may mention tools that are not offered.
  return { toWire: (name) => wire.get(name) ?? toPlainName(name), fromWire: (name) => own.get(name) ?? name };
}

function toPlainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || 'tool';
}

/**
 * Turns a schema into an object schema, which services require. Everything else that the server wrote is kept, because
 * a model reads it too.
 */
export function toObjectSchema(schema: Value): ValueMap {
  if (!isValueMap(schema)) return { type: 'object', ...toDescription(schema), properties: {} };
  const { properties, ...rest } = schema;
  if (schema.type === 'object' && (properties === undefined || isValueMap(properties))) return schema;
  if (properties === undefined || isValueMap(properties))
    return { ...rest, type: 'object', properties: properties ?? {} };
  return { ...toDescription(properties), ...rest, type: 'object', properties: {} };
}

/** A value that does not fit into a schema becomes a description. */
function toDescription(value: Value): ValueMap {
  if (value === null || typeof value === 'boolean') return {};
  return { description: typeof value === 'string' ? value : JSON.stringify(value) };
}
