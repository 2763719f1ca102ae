import { loadMarked } from '../../../format/load-marked.ts';
import type { LocatedDiagnostic } from '../../../format/model/errors.ts';
import type { SkippedDocument } from '../../../format/model/results-file.ts';
import type { DocumentSource } from '../../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../../suite/library/read-document.ts';
import type { PlayableDocument } from '../../../suite/plan/plan.ts';
import { type CommandOutcome, type Exit, findMostSevereExit } from '../../command-outcome.ts';
import { complain, type Io } from '../../io.ts';
import { describeProblems } from '../../reports/diagnostics-text.ts';

/** The documents to play, and those left out because they are not valid. */
export interface LoadedDocuments {
  readonly playables: readonly PlayableDocument[];
  readonly skipped: readonly SkippedDocument[];
}

/**
 * Reads every document. One document that cannot be played stops the whole command before anything runs. With
 * `skipInvalid`, invalid documents are skipped, and the command stops only if no valid one remains.
 */
export async function loadDocuments(
  sources: readonly DocumentSource[],
  io: Io,
  { skipInvalid = false } = {},
): Promise<LoadedDocuments | CommandOutcome> {
  const playables: PlayableDocument[] = [];
  const skipped: SkippedDocument[] = [];
  const exits: Exit[] = [];
  for (const source of sources) {
    const loaded = await loadOne(source, io);
    if ('exit' in loaded) exits.push(loaded.exit);
    else if ('document' in loaded) playables.push(loaded);
    else {
      skipped.push(loaded);
      if (!skipInvalid) exits.push('invalid');
    }
  }
  if (exits.length > 0) return findMostSevereExit(exits);
  if (playables.length === 0 && skipped.length > 0)
    return complain(io, 'invalid', 'run: no document is left to play: none is valid');
  return { playables, skipped };
}

/** One extra bracket causes a problem on every line after it, so only the first problems are shown. */
const mostShown = 5;

async function loadOne(source: DocumentSource, io: Io): Promise<PlayableDocument | SkippedDocument | CommandOutcome> {
  const file = source.name;
  const read = await readSourceDocument(source, io);
  if (read.kind === 'unreadable') return complain(io, 'unreadable', `${file}: ${read.reason}`, read.hint);
  const loaded = read.kind === 'text' ? loadMarked(read.text) : { ok: false as const, errors: [read.diagnostic] };
  if (!loaded.ok) {
    const diagnostics = loaded.errors;
    const shown = diagnostics.slice(0, mostShown);
    await io.stderr.write(describeProblems({ file, text: read.text, diagnostics: shown }, io.stderr));
    const more = diagnostics.length - shown.length;
    await complain(
      io,
      'invalid',
      `${file}: the document is not valid`,
      more > 0
        ? `there ${more === 1 ? 'is 1 problem' : `are ${more} problems`} more; oatf validate shows them all`
        : undefined,
    );
    return { path: file, reason: formatFirstDiagnostic(diagnostics) };
  }
  const { document, warnings } = loaded;
  return { document, file, text: read.text, warnings };
}

function formatFirstDiagnostic([first, ...others]: readonly LocatedDiagnostic[]): string {
  if (first === undefined) return 'it is not valid';
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  const place = first.path === '' ? '' : `${first.path}: `;
  return `${first.code}: ${place}${first.message}${more}`;
}
