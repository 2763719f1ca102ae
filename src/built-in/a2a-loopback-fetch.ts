import { isLoopbackUrl } from '../transport/loopback.ts';

const mostBytes = 16 * 1024 * 1024;

/**
 * What the official client fetches with. It stays on this machine, wherever a card or a redirect points, and reads no
 * more than a bounded part of what it is sent.
 */
export const loopbackFetch: typeof fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!isLoopbackUrl(url)) throw new Error(`${url} is not on this machine`);
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.status >= 300 && response.status < 400)
    throw new Error('it points somewhere else, and is not followed');
  if (response.body === null) return response;
  return new Response(response.body.pipeThrough(bounded(mostBytes)), response);
};

function bounded(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error(`more than ${bytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
