import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { listHeaderParams } from '../../../format/registry/mcp-2026.ts';
import { encodeHeaderValue } from './mirrored-headers.ts';

/** The arguments that a server's tools want repeated in headers, as its lists of tools say. */
export class ParamHeaders {
  readonly #tools = new Map<string, ReturnType<typeof listHeaderParams>>();

  /** Learns from the result of `tools/list`. */
  learn(result: Value): void {
    const tools = isValueMap(result) && Array.isArray(result.tools) ? (result.tools as readonly Value[]) : [];
    for (const tool of tools)
      if (isValueMap(tool) && typeof tool.name === 'string')
        this.#tools.set(tool.name, listHeaderParams(tool.inputSchema));
  }

  /** The headers of a call. */
  of(method: string, params: Value | undefined): Record<string, string> {
    if (method !== 'tools/call' || !isValueMap(params) || typeof params.name !== 'string') return {};
    const args: ValueMap = isValueMap(params.arguments) ? params.arguments : {};
    const wanted = this.#tools.get(params.name) ?? [];
    return Object.fromEntries(
      wanted.flatMap(({ header, valueIn }) => {
        const value = valueIn(args);
        return value === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, encodeHeaderValue(value)]];
      }),
    );
  }
}
