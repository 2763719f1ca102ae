import { isRefusingStatus, type MessageRecord } from '../../format/model/trace-record.ts';
import { isValueMap } from '../../format/model/value.ts';

/** JSON-RPC's codes for a request that was not understood: it never reached the code that would have acted on it. */
const notUnderstood: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602, -32603]);

/** The text of an error answer, for people. */
export function formatAnswerError({ content, status }: Pick<MessageRecord, 'content' | 'status'>): string {
  const over = status === undefined ? '' : `HTTP ${status} and `;
  if (!isValueMap(content)) return `${over}an error`;
  const { code, message } = content;
  return `${over}error ${String(code ?? '')}${typeof message === 'string' ? ` (${message})` : ''}`;
}

/** JSON-RPC's code for a server that failed, which is not a refusal. */
const broke = -32603;

/** Whether an error answer may be a refusal. The status that it came with must allow it. */
export function mayRefuse({ content, status }: Pick<MessageRecord, 'content' | 'status'>): boolean {
  return (status === undefined || isRefusingStatus(status)) && (!isValueMap(content) || content.code !== broke);
}

export function isNotUnderstood({ failed, content }: Pick<MessageRecord, 'content' | 'failed'>): boolean {
  return failed === true && isValueMap(content) && notUnderstood.has(content.code);
}
