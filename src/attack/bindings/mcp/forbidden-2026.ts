import { isValueMap, type Value } from '../../../format/model/value.ts';
import { inAnyResult, mcp2026Error, withinResponse } from '../../../format/registry/mcp-2026.ts';
import { listHeaderParams } from '../../../format/registry/mcp-header-params.ts';
import type { AnswerPlan, EntryAsk, PeerRequest } from '../../engine/binding.ts';
import { planMcpError } from './plans.ts';

// Rules of MCP since 2026-07-28: clients must send headers that agree with their arguments, and servers must not send
// certain messages. A document may make a server send them all the same.

/**
 * Entry actions that send a message in a way the protocol forbids to servers. Before 2026-07-28 they are sent like any
 * other.
 */
const manners: { readonly [action: string]: string } = {
  send_within_response: withinResponse,
  ask_in_any_result: inAnyResult,
};

export function warnOfForbiddenSend(name: string, value: Value): EntryAsk | undefined {
  const manner = Object.hasOwn(manners, name) ? manners[name] : undefined;
  if (manner === undefined) return undefined;
  const { method, params } = isValueMap(value) ? value : {};
  if (typeof method !== 'string') {
    const message = `\`${name}\` has no method, so it is skipped`;
    return { warnings: [{ severity: 'warning', code: 'O-101', message }] };
  }
  return { method, ...(params !== undefined && { params }), manner };
}

/** The reason why a call is refused: `Mcp-Param-…` must agree with the arguments. Without headers nothing is checked. */
export function refuseParamMismatch(
  schema: Value | undefined,
  { params, repeated }: PeerRequest,
): AnswerPlan | undefined {
  if (repeated === undefined) return undefined;
  const args = isValueMap(params) && isValueMap(params.arguments) ? params.arguments : {};
  for (const { header, valueIn } of listHeaderParams(schema)) {
    const said = repeated[header.toLowerCase()];
    if (valueIn(args) === said) continue;
    const what = said === undefined ? 'is missing' : 'is not what the arguments say';
    return planMcpError({
      code: mcp2026Error.headerMismatch,
      message: `the header Mcp-Param-${header} ${what}`,
    });
  }
  return undefined;
}
