import { stringifyJson } from '../../../model/json.ts';
import type { Value } from '../../../model/value.ts';
import { endingBy, refusalReason } from '../../http-failure.ts';
import { frameRequest, readFrame } from '../../json-rpc.ts';
import { readJson } from '../../json-text.ts';
import { isStreaming } from '../proto/operations.ts';
import type { Call, Form } from './call.ts';
import { callHttp } from './http.ts';
import type { Place } from './locate.ts';

export function callJsonRpc(place: Place, method: string, params: Value | undefined, call: Call): void {
  const accept = isStreaming(method) ? 'text/event-stream' : 'application/json';
  callHttp(
    {
      url: new URL(place.url),
      verb: 'POST',
      headers: { ...place.headers, accept },
      body: frameRequest(call.ask, method, params),
    },
    call,
    {
      event: (data) => takeFrame(data, isStreaming(method), call),
      body(status, bytes, form) {
        if (takeFrame(bytes, false, call, { status, form })) return;
        const reason = status < 300 ? 'its answer cannot be read' : refusalReason(status, '', bytes);
        call.end(reason, endingBy(status));
      },
    },
  );
}

/** Whether there was an answer in it. */
function takeFrame(
  bytes: Buffer,
  isItem: boolean,
  call: Call,
  { status, form }: { readonly status: number; readonly form: Form } = { status: 200, form: {} },
): boolean {
  const read = readJson(bytes, call.limits.depth);
  const frame = read.ok ? readFrame(read.value) : undefined;
  if (frame?.kind !== 'response') {
    const reason = read.ok ? 'no response of JSON-RPC' : read.reason;
    call.malformed(bytes, status < 300 ? reason : refusalReason(status, '', bytes), form);
    return false;
  }
  const { answer, id } = frame;
  // There is one answer on its connection, so it is known for what it answers.
  const noted = id === call.ask ? undefined : `it answers under the id ${stringifyJson(id).slice(0, 100)}`;
  if (isItem && answer.kind === 'result') call.item(answer.result, bytes, noted);
  else call.answer(answer, noted);
  return true;
}
