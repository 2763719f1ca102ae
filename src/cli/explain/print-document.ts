import { makeBenignTwin } from '../../format/extensions/benign-twin.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { DocumentSource } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';

/** Prints a document as it is written, even if it is not valid. */
export async function printSource(source: DocumentSource, io: Io): Promise<CommandOutcome> {
  const read = await readSourceDocument(source, io);
  if (read.kind === 'unreadable') return complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint);
  if (read.kind === 'invalid')
    return complain(io, 'invalid', `${source.name}: ${escapeInvisible(read.diagnostic.message)}`);
  return print(read.text, io);
}

/** Prints the benign twin of a document. */
export async function printTwin(
  source: DocumentSource,
  text: string,
  marks: readonly Mark[] | undefined,
  io: Io,
): Promise<CommandOutcome> {
  const twin = marks === undefined ? undefined : makeBenignTwin(text, marks);
  if (!twin?.ok)
    return complain(
      io,
      'invalid',
      `${source.name}: the document has no marks, so there is no twin`,
      'attack.x-payload says which places of a document are the attack',
    );
  return print(twin.write(), io);
}

/**
 * Prints a document. On a terminal, control characters are made visible, because the terminal would obey them; a file
 * gets every byte.
 */
async function print(text: string, { stdout }: Io): Promise<CommandOutcome> {
  await stdout.write(stdout.isTTY ? escapeInvisible(text, '\n\t') : text);
  return ok;
}
