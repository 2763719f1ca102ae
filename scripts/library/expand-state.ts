import { type Data, isMap } from './values.ts';

// Short forms of tools and their responses, as they are used in environments and in sources.

const hints: { readonly [hint: string]: object } = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  delete: { readOnlyHint: false, destructiveHint: true },
};

/** Writes the short forms of a state out. */
export function expandState(state: Data): Data {
  if (!isMap(state) || !Array.isArray(state.tools)) return state;
  return { ...state, tools: state.tools.map(expandTool) };
}

function expandTool(tool: Data): Data {
  if (!isMap(tool)) return tool;
  const { name, description, arguments: given, hint, inputSchema, annotations, responses, ...rest } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema ?? expandArguments(given ?? {}),
    ...((annotations ?? hints[hint]) !== undefined && { annotations: annotations ?? hints[hint] }),
    ...rest,
    ...(responses !== undefined && { responses: responses.map(expandResponse) }),
  };
}

/** `{ id: string, limit?: integer }`; a schema may stand for a type. */
function expandArguments(given: { readonly [name: string]: Data }): Data {
  const names = Object.keys(given);
  const required = names.filter((name) => !name.endsWith('?'));
  const properties = names.map((name) => [
    name.replace(/\?$/, ''),
    typeof given[name] === 'string' ? { type: given[name] } : given[name],
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/** `json` and `text` are the text of a result; `when` without a path is about arguments. */
function expandResponse(response: Data): Data {
  if (!isMap(response)) return response;
  const { when, json, text, isError, ...rest } = response;
  const said = json === undefined ? text : writeJson(json, '');
  const condition =
    when &&
    Object.fromEntries(
      Object.entries(when).map(([key, value]) => [/[.:]/.test(key) ? key : `arguments.${key}`, value]),
    );
  return {
    ...(condition && { when: condition }),
    ...rest,
    ...(said !== undefined && {
      content: { content: [{ type: 'text', text: said }], ...(isError !== undefined && { isError }) },
    }),
  };
}

const lineWidth = 320;

/** JSON with a line for each small object, so that a document stays readable. */
function writeJson(value: Data, indent: string): string {
  const flat = JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) =>
    part.length === 1 ? `${part} ` : part,
  );
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= lineWidth) return flat;
  const inner = `${indent}  `;
  const [open, close, lines] = Array.isArray(value)
    ? ['[', ']', value.map((item) => writeJson(item, inner))]
    : ['{', '}', Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeJson(item, inner)}`)];
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}

/** The pointer to a place, and the path of what stands there within the JSON of a text. */
export function toWrittenPath(path: readonly (string | number)[]): (string | number)[] {
  const written: (string | number)[] = [];
  for (const [index, key] of path.entries()) {
    const isOfResponse = path[index - 2] === 'responses';
    if (isOfResponse && (key === 'json' || key === 'text')) return [...written, 'content', 'content', 0, 'text'];
    const isArgument = path[index - 1] === 'arguments' && path[index - 3] === 'tools';
    if (key === 'arguments' && path[index - 2] === 'tools') written.push('inputSchema', 'properties');
    else written.push(isArgument ? String(key).replace(/\?$/, '') : key);
  }
  return written;
}
