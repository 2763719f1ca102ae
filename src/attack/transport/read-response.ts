import type { IncomingMessage } from 'node:http';

/**
 * Calls `take` with each piece of a body as it comes, and `close` once the response is over. A piece that came in one packet
 * with the end of a broken connection is taken too: Node keeps it, but since Node 26 emits it no more. The returned function
 * ends the response at once, with what has come of it.
 */
export function readResponse(
  response: IncomingMessage,
  take: (chunk: Buffer) => void,
  close: (isComplete: boolean) => void,
): () => void {
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    response.off('data', take);
    for (let chunk = response.read(); chunk !== null; chunk = response.read()) take(chunk);
    close(response.complete);
  };
  response.on('data', take);
  response.on('end', finish);
  response.on('error', finish);
  response.on('close', finish);
  return finish;
}
