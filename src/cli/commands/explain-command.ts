import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeBenignTwin } from '../../format/extensions/document-variant.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { summarizeDocument } from '../../suite/library/document-summary.ts';
import { type DocumentSource, findDocument } from '../../suite/library/find-documents.ts';
import { isLikeId } from '../../suite/library/library-ids.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { explainCode, explainEvery } from '../explain/code.ts';
import { describeDocument } from '../explain/describe-document.ts';
import { formatDiagram } from '../explain/diagram.ts';
import { explainedCodes } from '../explanations.ts';
import { loadSource } from '../input/load-document.ts';
import { complain, createRefusal, type Io } from '../io.ts';
import { isSearchWord, searchLibrary } from '../library/catalogue.ts';

export const runExplainCommand: Command<'explain'> = async ({ 'document|code': subject, ...flags }, io) => {
  const refuse = createRefusal('explain', io);
  const { json, diagram, source: asSource, twin } = flags;
  const forms = Object.entries({ diagram, source: asSource, twin, json }).flatMap(([flag, on]) =>
    on ? [`--${flag}`] : [],
  );
  if (subject === undefined || !isDocument(subject, io.cwd)) {
    const [wrong] = forms.filter((flag) => flag !== '--json');
    if (wrong !== undefined) return refuse(`${wrong} is for documents`, 'name a document');
    if (subject === undefined) return explainEvery(json, io);
    return isLikeCode(subject) || !isSearchWord(subject, io.cwd)
      ? explainCode(subject, json, io)
      : explainMentioned(subject, flags, io);
  }
  if (forms.length > 1) return refuse(`${forms.join(' and ')} cannot both be printed`, 'give one of them');
  const source = findDocument(subject, io.cwd);
  if (asSource) return printSource(source, io);
  const loaded = await loadSource(source, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document, marks, text } = loaded;
  if (twin) return printTwin(source, text, marks, io);
  await io.stdout.write(
    diagram
      ? formatDiagram(document)
      : json
        ? documentToJson(document, marks, text, source)
        : describeDocument(document, marks, source, io.stdout),
  );
  return ok;
};

function isDocument(subject: string, cwd: string): boolean {
  if (subject === '-' || /\.ya?ml$/i.test(subject)) return true;
  // A code begins with a single letter, an id of the library with a word.
  if (isLikeId(subject) && !/^[a-z]-/i.test(subject)) return true;
  try {
    return statSync(resolve(cwd, subject), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a word is a code, or may be a misspelt one, such as V-8 or O10. */
function isLikeCode(subject: string): boolean {
  const isCode = explainedCodes.some((code) => code.toLowerCase() === subject.toLowerCase());
  return isCode || /^[a-z]?-?\d+$/i.test(subject);
}

const mostMentioned = 8;

/** Explains the only document of the library that mentions a word, or names those that do. */
async function explainMentioned(
  word: string,
  flags: Omit<Arguments<'explain'>, 'document|code'>,
  io: Io,
): Promise<CommandOutcome> {
  const found = await searchLibrary(word, io);
  const ids = found.flatMap(({ about }) => (about.ok && about.summary.id !== undefined ? about.summary : []));
  const [only] = ids;
  if (only === undefined) return explainCode(word, flags.json, io);
  if (ids.length === 1) return runExplainCommand({ 'document|code': only.id, ...flags }, io);
  const named = ids.slice(0, mostMentioned).map(({ id, name }) => `${id} ${escapeInvisible(name)}`);
  const more = ids.length > mostMentioned ? `; oatf list ${escapeInvisible(word)} shows all` : '';
  return complain(
    io,
    'usage',
    `explain: ${ids.length} documents mention "${escapeInvisible(word)}"`,
    `name one of them: ${named.join('; ')}${more}`,
  );
}

/** Prints a document as it is written, even if it is not valid. */
async function printSource(source: DocumentSource, io: Io): Promise<CommandOutcome> {
  const read = await readSourceDocument(source, io);
  if (read.kind === 'unreadable') return complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint);
  if (read.kind === 'invalid') return complain(io, 'invalid', `${source.name}: ${read.diagnostic.message}`);
  return printText(read.text, io);
}

async function printTwin(
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
  return printText(twin.write(), io);
}

/**
 * Prints a document. On a terminal, control characters are made visible, because the terminal would obey them; a file
 * gets every byte.
 */
async function printText(text: string, { stdout }: Io): Promise<CommandOutcome> {
  await stdout.write(stdout.isTTY ? escapeInvisible(text, '\n\t') : text);
  return ok;
}

// The shape is documented in the help of `explain`; fields are only ever added.

/** One document as JSON text, with the fields that a list leaves out. */
function documentToJson(
  { attack }: NormalizedDocument,
  marks: readonly Mark[] | undefined,
  text: string,
  source: DocumentSource,
): string {
  const summarized = summarizeDocument(text);
  if (!summarized.ok) throw new Error(`a document that was read has no summary: ${summarized.reason}`);
  const file = source.kind === 'file' && source.shipped ? source.path : source.name;
  const { version, author, created, modified, description, references, indicators, correlation } = attack;
  const shape = {
    ...summarized.summary,
    file,
    version,
    author,
    created,
    modified,
    description,
    references: references ?? [],
    actors: attack.execution.actors.map(({ name, mode, phases }) => ({
      name,
      mode,
      phases: phases.map((phase) => phase.name),
    })),
    indicators: (indicators ?? []).map(({ id, protocol, surface, tier, severity, description }) => ({
      id,
      protocol,
      surface,
      tier,
      severity,
      description,
    })),
    logic: correlation?.logic,
    marks,
  };
  return `${JSON.stringify(shape, null, 2)}\n`;
}
