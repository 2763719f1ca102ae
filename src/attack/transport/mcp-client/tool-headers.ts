import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { listHeaderParams, mcp2026, mcp2026Error } from '../../../format/registry/mcp-2026.ts';
import type { Answer, Incoming, Sending } from '../../engine/actor-messages.ts';
import { encodeHeaderValue } from '../mcp-server/mirrored-headers.ts';

// Since 2026-07-28 a tool may want arguments of its calls repeated in headers, and its server refuses calls without
// them (-32020). Only the list of tools says which: it is requested, and the call is repeated once.

type AnswerMessage = Extract<Incoming, { kind: 'answer' }>;

/** The most pages of a list that are requested, because a list may be endless. */
const mostPages = 10;

/** A call that was refused for its headers, and the number of list pages requested since. */
export interface ToolListing<Call> {
  readonly call: Call;
  readonly refusal: AnswerMessage;
  readonly pages: number;
}

/** Tells whether a call was refused for missing headers, and the document does not say how it goes out. */
export function isMissingHeaders(
  { method, how }: { readonly method: string; readonly how?: Sending | undefined },
  answer: Answer,
): boolean {
  if (method !== 'tools/call' || answer.kind !== 'error') return false;
  if (how?.manner !== undefined || how?.order !== undefined) return false;
  return isValueMap(answer.error) && answer.error.code === mcp2026Error.headerMismatch;
}

/** The params for the next page of the list, as long as the called tool was not found. */
export function createNextPageParams(
  params: Value | undefined,
  { answer }: AnswerMessage,
  pages: number,
): Value | undefined {
  if (answer.kind === 'error' || !isValueMap(answer.result) || pages >= mostPages) return undefined;
  const { tools, nextCursor } = answer.result;
  const called = isValueMap(params) ? params.name : undefined;
  const isListed = Array.isArray(tools) && tools.some((tool: Value) => isValueMap(tool) && tool.name === called);
  return isListed ? undefined : nextCursor;
}

/** A server's answer to a request that the document did not make: only indicators see it. */
export function createUnaskedAnswer(message: AnswerMessage, method: string, reason: string): Incoming {
  const { session, answer } = message;
  const response =
    answer.kind === 'error'
      ? ({ kind: 'response', method, content: answer.error, failed: true } as const)
      : ({ kind: 'response', method, content: answer.result } as const);
  return { kind: 'refused', session, message: { ...response, era: mcp2026 }, reason };
}

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
      wanted.flatMap(({ header, readValue: valueIn }) => {
        const value = valueIn(args);
        return value === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, encodeHeaderValue(value)]];
      }),
    );
  }
}
