import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findDocument } from '../../suite/library/find-documents.ts';
import { isLikeId } from '../../suite/library/library-ids.ts';
import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { explainCode, explainEvery } from '../explain/code.ts';
import { describeDocument } from '../explain/describe-document.ts';
import { formatDiagram } from '../explain/diagram.ts';
import { documentToJson } from '../explain/document-json.ts';
import { printSource, printTwin } from '../explain/print-document.ts';
import { loadSource } from '../input/load-document.ts';
import { complain } from '../io.ts';

export const runExplainCommand: Command<'explain'> = async ({ 'document|code': subject, ...flags }, io) => {
  const { json, diagram, source: asSource, twin } = flags;
  const forms = Object.entries({ diagram, source: asSource, twin, json }).flatMap(([flag, on]) =>
    on ? [`--${flag}`] : [],
  );
  if (subject === undefined || !isDocument(subject, io.cwd)) {
    const [wrong] = forms.filter((flag) => flag !== '--json');
    if (wrong !== undefined) return complain(io, 'usage', `explain: ${wrong} is for documents`, 'name a document');
    return subject === undefined ? explainEvery(json, io) : explainCode(subject, json, io);
  }
  if (forms.length > 1)
    return complain(io, 'usage', `explain: ${forms.join(' and ')} cannot both be printed`, 'give one of them');
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
