import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLikeId } from '../../catalogue/ids.ts';
import type { Command } from '../commands.ts';
import { explainCode, explainEvery } from '../explain/code.ts';
import { diagramOf } from '../explain/diagram.ts';
import { describeDocument } from '../explain/document.ts';
import { loadDocument } from '../input/load-document.ts';
import { complain } from '../io.ts';
import { ok } from '../outcome.ts';

export const explain: Command<'explain'> = async ({ 'document|code': subject, json, diagram }, io) => {
  if (subject === undefined || !isDocument(subject, io.cwd)) {
    if (diagram) return complain(io, 'usage', 'explain: --diagram is for documents', 'name a document');
    return subject === undefined ? explainEvery(json, io) : explainCode(subject, json, io);
  }
  if (json)
    return complain(
      io,
      'usage',
      'explain: --json is for codes',
      'oatf normalize DOCUMENT --format json prints a document with everything spelt out',
    );
  const loaded = await loadDocument(subject, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document, marks } = loaded;
  await io.stdout.write(diagram ? diagramOf(document) : describeDocument(document, marks, io.stdout));
  return ok;
};

function isDocument(subject: string, cwd: string): boolean {
  if (subject === '-' || /\.ya?ml$/i.test(subject)) return true;
  // Codes begin with a single letter, ids of the library with a word.
  if (isLikeId(subject) && !/^[a-z]-/i.test(subject)) return true;
  try {
    return statSync(resolve(cwd, subject), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
