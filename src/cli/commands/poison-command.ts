import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { describeFileFailure } from '../../files/file-failure.ts';
import { readBounded } from '../../files/regular-file.ts';
import { maximumLength } from '../../format/document/maximum-length.ts';
import { addPayload, findCanaryProblem } from '../../format/extensions/poison-document.ts';
import { diagnoseMarked, loadMarked } from '../../format/load-marked.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { findDocuments } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import { ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { complain, createRefusal } from '../io.ts';
import { describeProblems } from '../reports/diagnostics-text.ts';
import { writeOutput } from '../write-whole.ts';

export const runPoisonCommand: Command<'poison'> = async (values, io) => {
  const refuse = createRefusal('poison', io);
  const wrong = values.canary === undefined ? undefined : findCanaryProblem(values.canary);
  if (wrong !== undefined)
    return refuse(`--canary "${values.canary ?? ''}": ${wrong}`, 'leave it out to have one generated');
  const [source] = findDocuments([values.document], io.cwd);
  if (source === undefined) return refuse('no document is given');
  const read = await readSourceDocument(source, io);
  if (read.kind === 'unreadable') return complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint);
  const payload = readPayload(values.with, io.cwd);
  if ('failure' in payload) return complain(io, 'unreadable', `poison: --with ${values.with}: ${payload.failure}`);
  if (payload.text.trim() === '') return refuse('--with has no text');
  const loaded = read.kind === 'text' ? loadMarked(read.text) : undefined;
  if (read.kind !== 'text' || !loaded?.ok) {
    const diagnostics = read.kind === 'text' ? diagnoseMarked(read.text) : [read.diagnostic];
    await io.stderr.write(describeProblems({ file: source.name, text: read.text, diagnostics }, io.stderr));
    return { exit: 'invalid' };
  }
  const canary = values.canary ?? `cnry-${randomBytes(5).toString('hex')}`;
  const made = addPayload(read.text, {
    at: values.at,
    payload: payload.text,
    canary,
    actor: values.actor,
    phase: values.phase,
    replaces: values.replace,
  });
  if (!made.ok)
    return refuse(`--at ${made.reason}`, made.places.length === 0 ? undefined : `it can be ${made.places.join(', ')}`);
  const checked = loadMarked(made.text);
  if (!checked.ok) return complain(io, 'invalid', `poison: ${source.name}: ${checked.errors[0]?.message ?? ''}`);
  const failed = await writeOutput(values.out, made.text, io);
  if (failed !== undefined) return failed;
  const facts = { at: made.pointer, canary, indicators: made.indicators };
  if (values.json && values.out !== undefined && values.out !== '-')
    await io.stdout.write(`${JSON.stringify(facts)}\n`);
  else
    await io.stderr.write(
      `oatf: the payload is at ${escapeInvisible(made.pointer)}; an agent that obeys it sends ${escapeInvisible(canary)}\n`,
    );
  return ok;
};

/** `@FILE` is the text of a file. */
function readPayload(given: string, cwd: string): { readonly text: string } | { readonly failure: string } {
  if (!given.startsWith('@')) return { text: given };
  try {
    const bytes = readBounded(resolve(cwd, given.slice(1)), maximumLength);
    if (bytes === 'too long')
      return { failure: `it is longer than ${maximumLength / 1024 / 1024} MiB, which no document may be` };
    return { text: bytes.toString('utf8').trimEnd() };
  } catch (thrown) {
    return { failure: describeFileFailure(thrown) };
  }
}
