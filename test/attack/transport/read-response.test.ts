import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readResponse } from '../../../src/attack/transport/read-response.ts';

function receive(complete: boolean) {
  const response = Object.assign(new PassThrough(), { complete });
  const seen: string[] = [];
  const finish = readResponse(
    response as unknown as IncomingMessage,
    (chunk) => seen.push(String(chunk)),
    (isComplete) => seen.push(isComplete ? 'complete' : 'broken off'),
  );
  return { response, seen, finish };
}

describe('readResponse', () => {
  test.each([
    [true, 'complete'],
    [false, 'broken off'],
  ])('takes what waits to be read when it is ended at once, with complete = %s', (complete, end) => {
    const { response, seen, finish } = receive(complete);
    response.pause();
    response.write('one');
    response.write('two');
    finish();
    expect(seen.join(' ').replace('onetwo', 'one two')).toBe(`one two ${end}`);
  });

  test('takes each piece once and closes once', async () => {
    const { response, seen, finish } = receive(true);
    response.end('one');
    await new Promise((resolve) => response.once('close', resolve));
    finish();
    expect(seen).toEqual(['one', 'complete']);
  });
});
