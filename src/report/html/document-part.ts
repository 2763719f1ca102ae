import { type DocumentReading, readDocumentText } from '../../format/document/parse.ts';
import { nameIndicator, namePhase } from '../../format/model/generated-names.ts';
import type { Path } from '../../format/model/path.ts';
import { dropUndefined } from '../../format/model/value.ts';
import { getProtocol } from '../../format/registry/known-modes.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { DocumentActor, DocumentIndicator, DocumentPart, DocumentPiece } from './page-data.ts';

export interface DocumentPartReading {
  readonly part: DocumentPart;
  readonly severity?: string;
  readonly category?: string;
  readonly protocols: readonly string[];
}

/** The view of a document in the page: its lines, and the lines of its actors, phases, indicators and pieces. */
export function readDocumentPart(
  text: string,
  path: string,
  redactor: Redactor,
  pieces: readonly Pick<DocumentPiece, 'actor' | 'at'>[],
): DocumentPartReading {
  const reading = readDocumentText(text);
  const { attack = {} } = reading.draft;
  const { severity, classification, description } = attack;
  const level = typeof severity === 'object' ? severity?.level : severity;
  const actors = listDocumentActors(reading);
  return dropUndefined({
    part: dropUndefined({
      path,
      lines: redactor.lines(text.replace(/\r\n?/g, '\n')),
      description: description && redactor.text(description.trim()),
      actors,
      indicators: listDocumentIndicators(reading),
      pieces: pieces.map((piece) => createDocumentPiece(reading, piece, text)),
    }),
    severity: level,
    category: classification?.category,
    protocols: [...new Set(actors.map(({ mode }) => getProtocol(mode)))],
  });
}

function findLine({ locate, positions }: DocumentReading, path: Path): number {
  const { from, to } = locate(path);
  return positions(from, to).start.line;
}

function listDocumentActors(reading: DocumentReading): readonly DocumentActor[] {
  const { actors, phases, mode } = reading.draft.attack?.execution ?? {};
  const within: Path = ['attack', 'execution'];
  if (actors !== undefined)
    return actors.map((actor, index) => {
      const at = [...within, 'actors', index];
      return {
        name: actor.name ?? '',
        mode: actor.mode ?? '',
        line: findLine(reading, [...at, 'name']),
        phases: listDocumentPhases(reading, actor.phases, at),
      };
    });
  // The same names that normalization gives.
  return [
    {
      name: 'default',
      mode: mode ?? phases?.find((phase) => phase.mode !== undefined)?.mode ?? '',
      line: findLine(reading, within),
      phases: listDocumentPhases(reading, phases, within),
    },
  ];
}

type DraftPhases = readonly { readonly name?: string | undefined }[] | undefined;

function listDocumentPhases(reading: DocumentReading, phases: DraftPhases, at: Path): DocumentActor['phases'] {
  return (phases ?? []).map(({ name }, index) => ({
    name: name ?? namePhase(index),
    line: findLine(reading, [...at, 'phases', index, ...(name === undefined ? [] : ['name'])]),
  }));
}

function listDocumentIndicators(reading: DocumentReading): readonly DocumentIndicator[] {
  const { attack } = reading.draft;
  return (attack?.indicators ?? []).map((indicator, index) => {
    const { id, tier, description, protocol, surface } = indicator;
    const at: Path = ['attack', 'indicators', index];
    return dropUndefined({
      // The same numbers that normalization gives.
      id: id ?? nameIndicator(index, attack?.id),
      line: findLine(reading, id === undefined ? at : [...at, 'id']),
      tier,
      description: description?.trim(),
      protocol,
      surface,
    });
  });
}

/** Pointers of pieces lead into the normalized actor, but the document may be written in a shorter form. */
function createDocumentPiece(
  { draft, locate, positions }: DocumentReading,
  { actor, at }: Pick<DocumentPiece, 'actor' | 'at'>,
  text: string,
): DocumentPiece {
  const { actors, phases } = draft.attack?.execution ?? {};
  const [, , phase = '0', ...tokens] = at.split('/');
  const rest = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const owner: Path =
    actors !== undefined
      ? ['actors', actors.findIndex(({ name }) => name === actor), 'phases', Number(phase)]
      : phases !== undefined
        ? ['phases', Number(phase)]
        : [];
  const { from, end } = locate(['attack', 'execution', ...owner, ...rest]);
  // A block ends where the next one begins. The blank lines between them belong to neither.
  const last = from + text.slice(from, end).trimEnd().length;
  const { start, end: stop } = positions(from, Math.max(from, last));
  return { actor, at, line: start.line, end: stop.line };
}
