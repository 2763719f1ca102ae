import { parse } from 'yaml';
import { writeValue } from '../../../src/format/document/write-yaml.ts';
import type { Value, ValueMap } from '../../../src/format/model/value.ts';
import { composeMode } from '../../../src/format/registry/known-modes.ts';
import { type Fence, isDocument } from './fences.ts';

// Puts a fragment of a page into an otherwise minimal document.

type Part = (value: Value, words: readonly string[]) => ValueMap;

const empty = { mode: 'mcp_server', state: { tools: [] } };
const attack = (rest: ValueMap): ValueMap => ({ id: 'ACME-001', ...rest });

const phaseOf = (phase: ValueMap): ValueMap => ({ state: {}, ...phase });
const phases = (list: Value, mode: string): ValueMap => {
  const own = { name: 'default', mode, phases: (list as readonly ValueMap[]).map(phaseOf) };
  return attack({ execution: { actors: [own, ...actorsNamedIn(list)] } });
};

/** Actors whose values the templates of a fragment use. */
function actorsNamedIn(value: Value): readonly ValueMap[] {
  const named = [...JSON.stringify(value).matchAll(/(?<!\\)\{\{([a-z]\w*)\.(\w+)\}\}/g)];
  return named
    .filter(([, actor]) => actor !== 'request' && actor !== 'response')
    .map(([, actor = '', name = '']) => ({
      name: actor,
      mode: 'mcp_server',
      phases: [{ state: {}, extractors: [{ name, source: 'request', type: 'json_path', selector: '$' }] }],
    }));
}

export const parts: { readonly [kind: string]: Part } = {
  attack: (value) => {
    const { indicators = [], 'x-task': task = [], 'x-disclosure': disclosure = [], ...rest } = value as ValueMap;
    const checks = [...(task as ValueMap[]), ...(disclosure as ValueMap[])];
    const execution = executionFor([...(indicators as ValueMap[]), ...checks]);
    return attack({ execution, ...rest, ...(value as ValueMap) });
  },
  execution: (value) => attack({ execution: (value as ValueMap).execution ?? value }),
  state: (value, [mode = '']) => attack({ execution: { mode, state: (value as ValueMap).state ?? value } }),
  phase: (value, [mode = '']) => phases(Array.isArray(value) ? value : [value], mode),
  phases: (value, [mode = '']) => phases((value as ValueMap).phases ?? value, mode),
  trigger: (value, [mode = '']) => phases([{ trigger: (value as ValueMap).trigger ?? value }, { name: 'after' }], mode),
  predicate: (value) => phases([{ trigger: { event: 'tools/call', match: value } }, {}], 'mcp_server'),
  extractors: (value) => phases([{ extractors: (value as ValueMap).extractors ?? value }], 'mcp_server'),
  template: (value) => phases([{ state: { server_info: value } }], 'mcp_server'),
  indicators: (value) => {
    const indicators = ((value as ValueMap).indicators ?? value) as readonly ValueMap[];
    return attack({ execution: executionFor(indicators), indicators });
  },
};

/** Adds the actors that the indicators name. */
function executionFor(indicators: readonly ValueMap[]): ValueMap {
  const named = new Map(
    indicators.flatMap(({ actor, protocol }) =>
      actor === undefined ? [] : [[String(actor), String(protocol ?? 'mcp')]],
    ),
  );
  if (named.size === 0) return empty;
  const actors = [...named].map(([name, protocol]) => ({
    name,
    mode: composeMode(protocol, protocol === 'ag_ui' ? 'client' : 'server'),
    phases: [{ state: {} }],
  }));
  return { actors };
}

/** The complete document that a fence is, or is a part of. */
export function completed(fence: Fence): string {
  if (isDocument(fence)) return fence.text;
  const part = parts[fence.kind];
  if (part === undefined) throw new Error(`${fence.page}:${fence.line}: nobody knows what "${fence.kind}" is`);
  return writeValue({ oatf: '0.1', attack: part(parse(fence.text), fence.words) });
}
