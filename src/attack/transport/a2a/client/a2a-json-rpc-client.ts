import { stringifyJson } from '../../../../format/model/json-text-values.ts';
import { isValueMap, type Value } from '../../../../format/model/value.ts';
import type { Answer, RefusedMessage } from '../../../engine/actor-messages.ts';
import { formatRefusal, isSuccessStatus, readFailureEnding } from '../../http-failure.ts';
import { frameRequest, readFrame } from '../../json-rpc-frames.ts';
import { readJson } from '../../json-text.ts';
import { readLooseReply } from '../../mcp-server/sessions/record-refused.ts';
import { type A2aOperation, dialect03, findOperation, isStreaming } from '../proto/a2a-operations.ts';
import { callHttp } from './a2a-http-client.ts';
import type { OutgoingCall, RefusedBodyForm } from './call.ts';
import type { A2aEndpoint } from './locate-endpoint.ts';

export function callJsonRpc(place: A2aEndpoint, method: string, params: Value | undefined, call: OutgoingCall): void {
  const accept = isStreaming(method) ? 'text/event-stream' : 'application/json';
  const { dialect } = place;
  // Before 1.0, JSON-RPC has the same spelling as OATF.
  const operation = dialect === dialect03 ? undefined : findOperation(dialect, method);
  const written = operation !== undefined && isValueMap(params) ? operation.paramsToProto(params) : params;
  call.inEra(operation === undefined ? undefined : dialect.era, written ?? {});
  callHttp(
    {
      url: new URL(place.url),
      verb: 'POST',
      headers: { ...place.headers, accept },
      body: frameRequest(call.ask, operation?.rpc ?? method, written),
    },
    call,
    {
      event: (data) => takeFrame(data, isStreaming(method), operation, call),
      body(status, bytes, form) {
        if (takeFrame(bytes, false, operation, call, { status, form })) return;
        const reason = isSuccessStatus(status) ? 'its answer cannot be read' : formatRefusal(status, '', bytes);
        call.end(reason, readFailureEnding(status));
      },
    },
  );
}

/** Reads a frame, and tells whether it was an answer. */
function takeFrame(
  bytes: Buffer,
  isItem: boolean,
  operation: A2aOperation | undefined,
  call: OutgoingCall,
  { status, form }: { readonly status: number; readonly form: RefusedBodyForm } = { status: 200, form: {} },
): boolean {
  const read = readJson(bytes, call.limits.depth);
  const frame = read.ok ? readFrame(read.value) : undefined;
  // An error of the protocol is an answer whatever its status. A result is not.
  if (frame?.kind !== 'response' || (frame.answer.kind === 'result' && !isSuccessStatus(status))) {
    const reason = read.ok ? 'not a JSON-RPC response' : read.reason;
    const messagesIn = (value: Value): readonly RefusedMessage[] => findReplies(value, operation);
    call.malformed(bytes, isSuccessStatus(status) ? reason : formatRefusal(status, '', bytes), { ...form, messagesIn });
    return false;
  }
  const { id } = frame;
  const { answer, wire } = toOwnAnswer(frame.answer, operation);
  // The connection carries one answer, so a wrong id does not matter.
  const noted = id === call.ask ? undefined : `it answers under the id ${stringifyJson(id).slice(0, 100)}`;
  if (isItem && answer.kind === 'result') call.item(answer.result, bytes, { noted, wire });
  else call.answer(answer, { noted, wire, status });
  return true;
}

/** Finds readable messages in a body that is not an answer. */
function findReplies(value: Value, operation: A2aOperation | undefined): readonly RefusedMessage[] {
  const replies = readLooseReply(value);
  if (operation === undefined) return replies;
  return replies.map((reply) =>
    reply.kind === 'response' && reply.failed !== true
      ? { ...reply, content: operation.resultFromProto(reply.content) }
      : reply,
  );
}

function toOwnAnswer(
  answer: Answer,
  operation: A2aOperation | undefined,
): { readonly answer: Answer; readonly wire?: Value } {
  if (operation === undefined || answer.kind === 'error') return { answer };
  const { result } = answer;
  return { answer: { kind: 'result', result: operation.resultFromProto(result) }, wire: result };
}
