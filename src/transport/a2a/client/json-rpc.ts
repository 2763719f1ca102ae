import type { Answer, RefusedMessage } from '../../../engine/messages.ts';
import { stringifyJson } from '../../../model/json.ts';
import { isValueMap, type Value } from '../../../model/value.ts';
import { endingBy, refusalReason } from '../../http-failure.ts';
import { frameRequest, readFrame } from '../../json-rpc.ts';
import { readJson } from '../../json-text.ts';
import { looseReply } from '../../sessions/record-refused.ts';
import { dialect03, isStreaming, type Operation, operationOf } from '../proto/operations.ts';
import type { Form, OutgoingCall } from './call.ts';
import { callHttp } from './http.ts';
import type { A2aEndpoint } from './locate.ts';

export function callJsonRpc(
  place: A2aEndpoint,
  method: string,
  params: Value | undefined,
  call: OutgoingCall,
): void {
  const accept = isStreaming(method) ? 'text/event-stream' : 'application/json';
  const { dialect } = place;
  // Before 1.0, JSON-RPC has the same spelling as OATF.
  const operation = dialect === dialect03 ? undefined : operationOf(dialect, method);
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
        const reason = status < 300 ? 'its answer cannot be read' : refusalReason(status, '', bytes);
        call.end(reason, endingBy(status));
      },
    },
  );
}

/** Reads a frame, and tells whether it was an answer. */
function takeFrame(
  bytes: Buffer,
  isItem: boolean,
  operation: Operation | undefined,
  call: OutgoingCall,
  { status, form }: { readonly status: number; readonly form: Form } = { status: 200, form: {} },
): boolean {
  const read = readJson(bytes, call.limits.depth);
  const frame = read.ok ? readFrame(read.value) : undefined;
  if (frame?.kind !== 'response') {
    const reason = read.ok ? 'not a JSON-RPC response' : read.reason;
    const messagesIn = (value: Value): readonly RefusedMessage[] => repliesIn(value, operation);
    call.malformed(bytes, status < 300 ? reason : refusalReason(status, '', bytes), { ...form, messagesIn });
    return false;
  }
  const { id } = frame;
  const { answer, wire } = inOwnSpelling(frame.answer, operation);
  // The connection carries one answer, so a wrong id does not matter.
  const noted = id === call.ask ? undefined : `it answers under the id ${stringifyJson(id).slice(0, 100)}`;
  if (isItem && answer.kind === 'result') call.item(answer.result, bytes, { noted, wire });
  else call.answer(answer, { noted, wire });
  return true;
}

/** Finds readable messages in a body that is not an answer. */
function repliesIn(value: Value, operation: Operation | undefined): readonly RefusedMessage[] {
  const replies = looseReply(value);
  if (operation === undefined) return replies;
  return replies.map((reply) =>
    reply.kind === 'response' && reply.failed !== true
      ? { ...reply, content: operation.resultFromProto(reply.content) }
      : reply,
  );
}

function inOwnSpelling(
  answer: Answer,
  operation: Operation | undefined,
): { readonly answer: Answer; readonly wire?: Value } {
  if (operation === undefined || answer.kind === 'error') return { answer };
  const { result } = answer;
  return { answer: { kind: 'result', result: operation.resultFromProto(result) }, wire: result };
}
