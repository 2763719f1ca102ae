import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { describeFileFailure } from '../../files/file-failure.ts';
import { readBounded } from '../../files/regular-file.ts';
import { maximumLength } from '../../format/document/maximum-length.ts';
import { addUser } from '../../format/extensions/add-user.ts';
import { addPayload, findCanaryProblem } from '../../format/extensions/poison-document.ts';
import { diagnoseMarked, loadMarked } from '../../format/load-marked.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { OutcomeName } from '../../format/model/results-file.ts';
import { userMode } from '../../format/registry/known-modes.ts';
import { findDocuments } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import type { PlayableDocument } from '../../suite/plan/plan.ts';
import type { Command } from '../commands.ts';
import { complain, createRefusal } from '../io.ts';
import { describeProblems } from '../reports/diagnostics-text.ts';
import { watchInterruption } from '../run/play/interruption.ts';
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
  const withUser =
    values.prompt === undefined ? { ok: true as const, text: read.text } : addUser(read.text, values.prompt);
  if (!withUser.ok) return refuse(`--prompt: ${withUser.reason}`);
  const canary = values.canary ?? `cnry-${randomBytes(5).toString('hex')}`;
  const made = addPayload(withUser.text, {
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
  const { signal, exit } = watchInterruption(io, 'the trial on gullible');
  const playable = { document: checked.document, text: made.text, file: values.out ?? source.name, warnings: [] };
  const outcome = await playOnGullible(playable, signal);
  const facts = { at: made.pointer, canary, indicators: made.indicators, outcome: outcome ?? null };
  if (values.json && values.out !== undefined && values.out !== '-')
    await io.stdout.write(`${JSON.stringify(facts)}\n`);
  else
    await io.stderr.write(
      `oatf: the payload is at ${escapeInvisible(made.pointer)}; an agent that obeys it sends the canary, ${escapeInvisible(canary)}\n${describeTrial(outcome, checked.document)}`,
    );
  return { exit: exit() ?? 'ok' };
};

/** The outcome of the document on the agent that obeys what it reads; undefined if it was interrupted. */
async function playOnGullible(document: PlayableDocument, signal: AbortSignal): Promise<OutcomeName | undefined> {
  // Agents take long to load, and only a document that can be written is played.
  const { playBuiltInAgents } = await import('../test/run-cases.ts');
  const [run] = await playBuiltInAgents([document], ['gullible'], undefined, { signal });
  return signal.aborted ? undefined : run?.outcome;
}

function describeTrial(outcome: OutcomeName | undefined, document: NormalizedDocument): string {
  if (outcome === undefined) return '';
  if (outcome === 'exploited')
    return 'oatf: on gullible, the built-in agent that obeys what it reads, the attack succeeds\n';
  const hasUser = document.attack.execution.actors.some(({ mode }) => mode === userMode);
  const advice = hasUser
    ? 'name a tool other than the one that carries the payload, and quote the canary: call NAME with PARAMETER "{{canary}}"'
    : 'nobody gives the agent a task; add one with --prompt';
  return `oatf: warning: on gullible, the built-in agent that obeys what it reads, the outcome is ${outcome}: another agent that resists shows nothing\noatf: hint: ${advice}\n`;
}

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
