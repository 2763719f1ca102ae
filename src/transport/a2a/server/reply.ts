import type { ServerResponse } from 'node:http';
import type { Answer } from '../../../engine/messages.ts';
import { isGone, writeJson } from '../../streamable-http/response.ts';
import type { Reply } from './desk.ts';

export interface Whole {
  readonly status: number;
  readonly text: string;
}

/** An answer in one piece. */
export function wholeReply(response: ServerResponse, frame: (answer: Answer) => Whole): Reply {
  return {
    get isGone() {
      return isGone(response);
    },
    part: () => false,
    answer(answer) {
      if (isGone(response)) return false;
      const { status, text } = frame(answer);
      if (status === 204) response.writeHead(204).end();
      else writeJson(response, status, text, {});
      return true;
    },
  };
}

const eventHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Asks proxies not to hold events back.
  'X-Accel-Buffering': 'no',
};

/** An answer by server-sent events. With `refuse`, one that is an error from the start is no stream. */
export function streamReply(
  response: ServerResponse,
  frame: (answer: Answer) => string,
  refuse?: (answer: Answer) => Whole,
): Reply {
  let hasBegun = false;
  const write = (answer: Answer): boolean => {
    if (isGone(response)) return false;
    if (!hasBegun) response.writeHead(200, eventHeaders);
    hasBegun = true;
    gather(response);
    response.write(frame(answer));
    return true;
  };
  return {
    get isGone() {
      return isGone(response);
    },
    part: (content) => write({ kind: 'result', result: content }),
    answer(answer) {
      if (!hasBegun && answer.kind === 'error' && refuse !== undefined)
        return wholeReply(response, refuse).answer(answer);
      const isWritten = write(answer);
      if (isWritten) response.end();
      return isWritten;
    },
  };
}

/** What is written in one go leaves in one go. */
function gather(response: ServerResponse): void {
  if (response.writableCorked > 0) return;
  response.cork();
  process.nextTick(() => response.uncork());
}
