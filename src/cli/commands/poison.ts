import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { failureOf } from '../../catalogue/failure.ts';
import { findDocuments } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { maximumLength } from '../../document/maximum-length.ts';
import { readBounded } from '../../files/regular-file.ts';
import { diagnoseMarked, loadMarked } from '../../load-marked.ts';
import { canaryProblem, poison } from '../../marks/poison.ts';
import { visible } from '../../report/visible.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { ok } from '../outcome.ts';
import { describeProblems } from '../reports/text.ts';
import { writeWhole } from '../write-whole.ts';

export const poisonDocument: Command<'poison'> = async (values, io) => {
  const wrong = values.canary === undefined ? undefined : canaryProblem(values.canary);
  if (wrong !== undefined)
    return complain(
      io,
      'usage',
      `poison: --canary "${visible(values.canary ?? '')}": ${wrong}`,
      'leave it out to have one generated',
    );
  const [source] = findDocuments([values.document], io.cwd);
  if (source === undefined) return complain(io, 'usage', 'poison: no document is given');
  const read = await readDocument(source, io);
  if (read.kind === 'unreadable')
    return complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint);
  const payload = payloadOf(values.with, io.cwd);
  if ('failure' in payload)
    return complain(io, 'unreadable', `poison: --with ${visible(values.with)}: ${payload.failure}`);
  if (payload.text.trim() === '') return complain(io, 'usage', 'poison: --with has no text');
  const loaded = read.kind === 'text' ? loadMarked(read.text) : undefined;
  if (read.kind !== 'text' || !loaded?.ok) {
    const diagnostics = read.kind === 'text' ? diagnoseMarked(read.text) : [read.diagnostic];
    await io.stderr.write(describeProblems({ file: source.name, text: read.text, diagnostics }, io.stderr));
    return { exit: 'invalid' };
  }
  const canary = values.canary ?? `cnry-${randomBytes(5).toString('hex')}`;
  const made = poison(read.text, {
    at: values.at,
    payload: payload.text,
    canary,
    actor: values.actor,
    phase: values.phase,
    replaces: values.replace,
  });
  if (!made.ok)
    return complain(
      io,
      'usage',
      `poison: --at ${visible(made.reason)}`,
      made.places.length === 0
        ? undefined
        : `it can be ${made.places.map((place) => visible(place)).join(', ')}`,
    );
  const checked = loadMarked(made.text);
  if (!checked.ok)
    return complain(
      io,
      'invalid',
      `poison: ${visible(source.name)}: ${visible(checked.errors[0]?.message ?? '')}`,
    );
  if (values.out === undefined || values.out === '-') await io.stdout.write(made.text);
  else {
    const failure = writeWhole(resolve(io.cwd, values.out), made.text);
    if (failure !== undefined)
      return complain(io, 'unavailable', `${visible(values.out)}: cannot be written: ${failure}`);
  }
  const said = { at: made.pointer, canary, indicators: made.indicators };
  if (values.json && values.out !== undefined && values.out !== '-')
    await io.stdout.write(`${JSON.stringify(said)}\n`);
  else
    await io.stderr.write(
      `oatf: the payload is at ${visible(made.pointer)}; an agent that obeys it sends ${visible(canary)}\n`,
    );
  return ok;
};

/** `@FILE` is the text of a file. */
function payloadOf(given: string, cwd: string): { readonly text: string } | { readonly failure: string } {
  if (!given.startsWith('@')) return { text: given };
  try {
    const bytes = readBounded(resolve(cwd, given.slice(1)), maximumLength);
    if (bytes === 'too long')
      return { failure: `it is longer than ${maximumLength / 1024 / 1024} MiB, which no document may be` };
    return { text: bytes.toString('utf8').trimEnd() };
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  }
}
