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
