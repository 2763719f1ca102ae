import { describeFileFailure } from '../../files/file-failure.ts';
import { readBounded } from '../../files/regular-file.ts';
import { maximumLength } from '../../format/document/maximum-length.ts';
import type { LocatedDiagnostic } from '../../format/model/errors.ts';
import type { DocumentSource } from './find-documents.ts';

export type ReadDocument =
  | { readonly kind: 'text'; readonly text: string }
  /** The source cannot be a document, whatever it contains; it may not have been read. */
  | { readonly kind: 'invalid'; readonly text: string; readonly diagnostic: LocatedDiagnostic }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly hint?: string };

/** The source of standard input. */
export interface StdinSource {
  readonly stdin: { chunks(): AsyncIterable<Buffer> };
}

/** The parser refuses longer texts, so they are not read. UTF-8 needs at most three bytes for a UTF-16 unit. */
const mostBytes = 3 * maximumLength;

export async function readSourceDocument(source: DocumentSource, io: StdinSource): Promise<ReadDocument> {
  switch (source.kind) {
    case 'missing':
      return {
        kind: 'unreadable',
        reason: source.reason,
        ...(source.hint !== undefined && { hint: source.hint }),
      };
    case 'read':
      return source.read;
    case 'stdin':
      return decodeDocument(await readStdin(io));
    case 'file':
      try {
        return decodeDocument(readBounded(source.path, mostBytes));
      } catch (thrown) {
        return { kind: 'unreadable', reason: describeFileFailure(thrown) };
      }
  }
}

type Bytes = Buffer | 'too long';

async function readStdin(io: StdinSource): Promise<Bytes> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of io.stdin.chunks()) {
    chunks.push(chunk);
    total += chunk.length;
    if (total > mostBytes) return 'too long';
  }
  return Buffer.concat(chunks);
}

function decodeDocument(bytes: Bytes): ReadDocument {
  if (bytes === 'too long')
    return refuseDocument('', 0, `document is longer than ${maximumLength / 1024 / 1024} MiB, which is the limit`);
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const text = bytes.toString('utf8');
    const encoded = Buffer.from(text);
    const at = bytes.findIndex((byte, index) => byte !== encoded[index]);
    const offset = bytes.subarray(0, at).toString('utf8').length;
    const hex = bytes[at]?.toString(16).padStart(2, '0');
    return refuseDocument(text, offset, `byte 0x${hex} is not UTF-8`, 'save the file in the encoding UTF-8');
  }
}

function refuseDocument(text: string, offset: number, message: string, hint?: string): ReadDocument {
  const before = text.slice(0, offset).split('\n');
  const start = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset };
  const end = offset < text.length ? { ...start, column: start.column + 1, offset: offset + 1 } : start;
  const diagnostic: LocatedDiagnostic = {
    severity: 'error',
    code: 'syntax',
    path: '',
    message,
    ...(hint !== undefined && { hint }),
    range: { start, end },
  };
  return { kind: 'invalid', text, diagnostic };
}
