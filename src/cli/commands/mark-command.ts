import { writeValue } from '../../format/document/write-yaml.ts';
import { type ProposedMark, proposeMarks } from '../../format/extensions/propose-marks.ts';
import { encodeMark, writeMarks } from '../../format/extensions/write-marks.ts';
import { loadMarked } from '../../format/load-marked.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { payloadKey } from '../../format/model/extension-keys.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { count } from '../../report/count-text.ts';
import { findDocument } from '../../suite/library/find-documents.ts';
import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { loadSource } from '../input/load-document.ts';
import { complain, createRefusal } from '../io.ts';
import { writeWhole } from '../write-whole.ts';

export const runMarkCommand: Command<'mark'> = async ({ document: operand, write, json }, io) => {
  const refuse = createRefusal('mark', io);
  const source = findDocument(operand, io.cwd);
  if (write && (source.kind === 'stdin' || (source.kind === 'file' && source.shipped)))
    return refuse('--write needs a file of your own', 'without it, the marks are printed');
  const loaded = await loadSource(source, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document, file, text } = loaded;
  if (loaded.marks !== undefined) return refuse(`${file} has marks already`, 'oatf explain shows them');
  const { marks, doubtful } = proposeMarks(document);
  if (json) await io.stdout.write(`${JSON.stringify({ marks, doubtful }, null, 2)}\n`);
  else await io.stderr.write(doubtful.map(describeDoubtful).join(''));
  if (marks.length === 0)
    return complain(io, 'found', `${file}: nothing looks like a payload`, 'write the marks by hand: attack.x-payload');
  const marked = writeMarks(text, document, marks) ?? '';
  const checked = loadMarked(marked);
  if (!checked.ok) return complain(io, 'invalid', `mark: ${file}: ${checked.errors[0]?.message ?? ''}`);
  if (!write && !json) await io.stdout.write(formatProposals(document, marks));
  const failure = write && source.kind === 'file' ? writeWhole(source.path, marked) : undefined;
  if (failure !== undefined) return complain(io, 'unavailable', `${file}: cannot be written: ${failure}`);
  await io.stderr.write(
    `oatf: ${file}: ${count(marks.length, 'mark', 'marks')} ${write ? 'written' : 'proposed'}; check them, and what the benign twin has there\n`,
  );
  return ok;
};

/** The marks as YAML for `attack`, each with its reasons in a comment. */
function formatProposals(document: NormalizedDocument, marks: readonly ProposedMark[]): string {
  const lines = marks.flatMap((mark) => [
    ...mark.reasons.map((reason) => `# ${escapeInvisible(reason)}`),
    ...writeValue([encodeMark(document, mark)])
      .trimEnd()
      .split('\n'),
  ]);
  return `${payloadKey}:\n${lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')}`;
}

function describeDoubtful({ actor, phase, at, reasons }: ProposedMark): string {
  const place = escapeInvisible(`${at} of phase "${phase}" of "${actor}"`);
  return `oatf: not proposed, because it may be bait: ${place}: ${escapeInvisible(reasons.join('; '))}\n`;
}
