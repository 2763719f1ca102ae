import { isCollection, isValueMap, type Value } from '../../../../format/model/value.ts';

const mostVisited = 10_000;
/** Shorter texts may look like base64 by chance. */
const telling = 16;

/**
 * A note about files in a message that came as proto: the official Python SDK 0.3 writes the base64 of a file as the
 * file's bytes, so they are encoded twice. The message is not changed, because a file may really hold base64.
 */
export function noteFileBytes(message: Value): string | undefined {
  const pending: Value[] = [message];
  for (let visited = 0; pending.length > 0 && visited < mostVisited; visited++) {
    const value = pending.pop() as Value;
    if (!isCollection(value)) continue;
    if (isValueMap(value) && isFileTwice(value.file))
      return 'the bytes of a file are base64 of base64: they may have been encoded twice';
    for (const inner of Object.values(value)) if (isCollection(inner)) pending.push(inner);
  }
  return undefined;
}

function isFileTwice(file: Value | undefined): boolean {
  const bytes = isValueMap(file) ? file.bytes : undefined;
  if (typeof bytes !== 'string' || bytes.length < telling) return false;
  const inner = Buffer.from(bytes, 'base64').toString('latin1');
  return inner.length >= telling && inner.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(inner);
}
