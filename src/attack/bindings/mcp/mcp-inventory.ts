import type { AgentActivity, NamedThing } from '../../../format/model/binding-views.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';

// What a server that our client attacks says that it has: its lists, and its answers to requests that name something.

/** By method: the kind of a list, and where its entries and their names stand. */
const lists: { readonly [method: string]: readonly [kind: string, entries: string, name: string] } = {
  'tools/list': ['tool', 'tools', 'name'],
  'prompts/list': ['prompt', 'prompts', 'name'],
  'resources/list': ['resource', 'resources', 'uri'],
  'resources/templates/list': ['template', 'resourceTemplates', 'uriTemplate'],
};

/** The kinds of lists of which a notification says that they have changed. */
const kindsOf: { readonly [surface: string]: readonly string[] } = {
  tools: ['tool'],
  prompts: ['prompt'],
  resources: ['resource', 'template'],
};

/** By method: the kinds of which a request names one, and the param that holds the name. */
const named: { readonly [method: string]: readonly [kinds: readonly string[], param: string] } = {
  'tools/call': [['tool'], 'name'],
  'prompts/get': [['prompt'], 'name'],
  'resources/read': [['resource', 'template'], 'uri'],
  'resources/subscribe': [['resource', 'template'], 'uri'],
};

const methodNotFound = -32601;

/** Reads an answer of the server for what the server has or lacks. */
export function readMcpInventory(record: MessageRecord): Pick<AgentActivity, 'pages' | 'denies' | 'changes'> {
  const { method, content, failed, request } = record;
  const list = Object.hasOwn(lists, method) ? lists[method] : undefined;
  if (list !== undefined) return readPage(record, list);
  const isDenial = failed === true || (isValueMap(content) && content.isError === true);
  const thing = isDenial ? readNamedThing(method, request) : undefined;
  return thing === undefined ? {} : { denies: thing };
}

/** The lists that a notification of the server says have changed. */
export function readListChange({ method }: MessageRecord): Pick<AgentActivity, 'changes'> {
  const [, surface = ''] = /^notifications\/(\w+)\/list_changed$/.exec(method) ?? [];
  const changes = Object.hasOwn(kindsOf, surface) ? kindsOf[surface] : undefined;
  return changes === undefined ? {} : { changes };
}

/** What a request names, such as a tool. */
export function readNamedThing(method: string, params: Value | undefined): NamedThing | undefined {
  const [kinds, param] = (Object.hasOwn(named, method) ? named[method] : undefined) ?? [];
  const name = param !== undefined && isValueMap(params) ? params[param] : undefined;
  return kinds === undefined || typeof name !== 'string'
    ? undefined
    : { kinds, name, label: `the ${kinds[0]} ${JSON.stringify(name)}` };
}

function readPage(
  { content, failed, request, covered }: MessageRecord,
  [kind, entries, field]: readonly [string, string, string],
): Pick<AgentActivity, 'pages' | 'changes'> {
  if (failed === true) {
    const isUnknown = isValueMap(content) && content.code === methodNotFound;
    return kind === 'template' && isUnknown ? { pages: [{ kind, names: [] }] } : {};
  }
  const read = isValueMap(content) && Array.isArray(content[entries]) ? (content[entries] as readonly Value[]) : [];
  const names = read.flatMap((entry) => (isValueMap(entry) && typeof entry[field] === 'string' ? [entry[field]] : []));
  const isWhole = isValueMap(content) && Array.isArray(content[entries]) && names.length === read.length;
  if (!isWhole || covered) return { changes: [kind] };
  const cursor = isValueMap(request) ? request.cursor : undefined;
  const next = content.nextCursor ?? undefined;
  return { pages: [{ kind, names, ...(cursor !== undefined && { cursor }), ...(next !== undefined && { next }) }] };
}
