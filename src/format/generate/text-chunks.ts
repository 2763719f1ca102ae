import { textChunkLength } from './generator.ts';

/** Repeats a text up to that many bytes; the last repetition is cut if necessary. */
export function* repeatText(unit: string, bytes: number): Generator<string> {
  const size = measureUtf8(unit);
  if (size === 0) return;
  const perPiece = Math.max(1, Math.floor(textChunkLength / size));
  const piece = unit.repeat(perPiece);
  let left = bytes;
  for (; left >= perPiece * size; left -= perPiece * size) yield piece;
  const whole = Math.floor(left / size);
  yield unit.repeat(whole) + cutToBytes(unit, left - whole * size);
}

/** Calls `next` that many times, and joins the results into larger pieces. */
export function* makeMany(count: number, next: (index: number) => string): Generator<string> {
  let piece = '';
  for (let index = 0; index < count; index += 1) {
    piece += next(index);
    if (piece.length < textChunkLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Joins the results of `next` up to that many bytes. */
export function* fillBytes(bytes: number, next: () => string): Generator<string> {
  let piece = '';
  let left = bytes;
  while (left > 0) {
    const part = next();
    const size = measureUtf8(part);
    const fitting = size <= left ? part : cutToBytes(part, left);
    piece += fitting;
    if (fitting !== part) break;
    left -= size;
    if (piece.length < textChunkLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** As many whole characters as fit. */
function cutToBytes(text: string, bytes: number): string {
  let taken = '';
  let size = 0;
  for (const character of text) {
    size += measureUtf8(character);
    if (size > bytes) break;
    taken += character;
  }
  return taken;
}

/** The length in UTF-8. Half of a surrogate pair counts as three bytes, like its replacement character. */
function measureUtf8(text: string): number {
  let size = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) size += 1;
    else if (code < 0x800) size += 2;
    else if (code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(at + 1))) {
      size += 4;
      at += 1;
    } else size += 3;
  }
  return size;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
