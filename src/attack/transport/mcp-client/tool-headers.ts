import { isValueMap, type Value } from '../../../format/model/value.ts';
import { mcp2026, mcp2026Error } from '../../../format/registry/mcp-2026.ts';
import type { Answer, Incoming, Sending } from '../../engine/actor-messages.ts';

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
  const said =
    answer.kind === 'error'
      ? ({ kind: 'response', method, content: answer.error, failed: true } as const)
      : ({ kind: 'response', method, content: answer.result } as const);
  return { kind: 'refused', session, message: { ...said, era: mcp2026 }, reason };
}
