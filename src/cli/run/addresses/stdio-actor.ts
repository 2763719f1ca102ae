import type { Readable, Writable } from 'node:stream';
import type { PlayableMode } from '../../../attack/engine/run-document.ts';
import { createStdioServer } from '../../../attack/transport/mcp-server/stdio-server.ts';
import type { NormalizedDocument } from '../../../format/model/normalized.ts';
import { isEndRecord, isMessageRecord, type TraceRecord } from '../../../format/model/trace-record.ts';
import { parseDuration } from '../../../format/primitives/parse-duration.ts';
import { findNearest } from '../../../format/registry/suggestions.ts';
import type { PlayOptions } from '../../../suite/play/play-run.ts';
import { formatCarriedModes, isCarried } from '../../../suite/play/playable-modes.ts';
import type { Arguments } from '../../commands.ts';
import type { Io, Sink } from '../../io.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';
import type { AddressFinder } from './listen.ts';

/** An actor that serves on this process's own standard input and output. */
export interface StdioActor {
  readonly actor: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Sessions with other actors may stay open, so the run does not wait for them to end. */
const othersMs = 50;

/** How to play a run whose actor has one client from the start: the run ends when the client hangs up. */
export function createStdioPlayOptions(
  { actor: name, input, output }: StdioActor,
  document: NormalizedDocument,
  { modes, limits }: Pick<PlayOptions, 'modes' | 'limits'>,
): Pick<PlayOptions, 'modes' | 'limits' | 'control'> {
  const graceMs = limits?.graceMs ?? readGracePeriod(document);
  let endRun = (): void => {};
  const hungUp = (): void => {
    setTimeout(() => endRun(), graceMs + othersMs);
  };
  const withStdio = (mode: PlayableMode): PlayableMode => ({
    ...mode,
    transport: (actor) => (actor.name === name ? createStdioServer({ input, output, hungUp }) : mode.transport(actor)),
  });
  return {
    modes: modes.map(withStdio),
    // A client that launched its server ends it soon after hanging up.
    limits: { ...limits, graceMs },
    control({ end }) {
      endRun = () => end('idle');
    },
  };
}

function readGracePeriod({ attack }: NormalizedDocument): number {
  const seconds = attack.gracePeriod === undefined ? 0 : parseDuration(attack.gracePeriod);
  return typeof seconds === 'number' ? seconds * 1_000 : 0;
}

/** Standard output carries the protocol, so messages for people go to standard error. */
export function redirectStdout(io: Io): Io {
  const stderr = limitWriteTime(io.stderr);
  return { ...io, stdout: stderr, stderr };
}

const patienceMs = 500;

/** Not every agent reads its servers' standard error. A write that takes too long is not waited for. */
function limitWriteTime(sink: Sink): Sink {
  let stuck: Promise<void> | undefined;
  return {
    ...sink,
    async write(text) {
      if (stuck !== undefined) return;
      const writing = sink.write(text);
      const patience = new AbortController();
      const tired = new Promise<'tired'>((resolve) => {
        const timer = setTimeout(() => resolve('tired'), patienceMs);
        patience.signal.addEventListener('abort', () => clearTimeout(timer));
      });
      const first = await Promise.race([writing, tired]);
      patience.abort();
      if (first !== 'tired') return;
      stuck = writing.then(() => {
        stuck = undefined;
      });
    },
  };
}

// Some clients launch a server twice: once to ask for its version with `server/discover`, in a process that they
// discard, and once to use it. The first launch is not a run.

const probe = 'server/discover';

/** Watches the records of a launched process and reports when it is more than a probe, so that the run is stored. */
export function createProbeDetector(): (record: TraceRecord) => boolean {
  let hasProbed = false;
  return (record) => {
    // A client that sent nothing did not probe either.
    if (isEndRecord(record)) return !hasProbed;
    if (!isMessageRecord(record)) return record.kind === 'malformed';
    if (record.origin === 'attacker') return false;
    const isProbe = record.method === probe || record.within === probe;
    hasProbed ||= isProbe;
    return !isProbe;
  };
}

/** Reads `--stdio`; nothing if the flag was not given. */
export function readStdio(
  values: Pick<Arguments<'run'>, 'stdio' | 'agent' | 'json' | 'list' | 'documents'>,
  documents: readonly NormalizedDocument[],
  addresses: AddressFinder,
  io: Pick<Io, 'pipes'>,
): { readonly value: StdioActor | undefined } | WrongUsage {
  const { stdio, agent, json, list } = values;
  if (stdio === undefined) return { value: undefined };
  const typed = stdio === true ? '' : stdio;
  const wrong = (problem: string, hint: string): WrongUsage =>
    refuseFlag('stdio', typed === '' ? '' : `${typed}`, problem, hint);
  if (agent.length > 0) return wrong('the only client is the one that launched this process', 'leave --agent out');
  if (json || list)
    return wrong('standard output carries the protocol', `leave --${json ? 'json' : 'list'} out; results are on disk`);
  if (values.documents.includes('-'))
    return wrong('standard input carries the protocol', 'name the document as a file or an id');
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    return wrong(`it plays one document, and ${documents.length} are given`, 'name one');
  const servers = document.attack.execution.actors.filter(({ mode }) => isCarried(mode, 'server', 'stdio'));
  const kind = formatCarriedModes('server', 'stdio');
  const names = servers.map(({ name }) => name);
  if (names.length === 0) return wrong(`the document has no ${kind} actor`, 'leave it out');
  if (typed === '' && names.length > 1)
    return wrong(`${names.length} actors could be meant: ${names.join(', ')}`, `name one, as in --stdio ${names[0]}`);
  const actor = typed === '' ? servers[0] : servers.find(({ name }) => name === typed);
  if (actor === undefined)
    return wrong(
      `no ${kind} actor is named "${typed}"`,
      `did you mean ${findNearest(typed, names) ?? names[0]}? a document stands before the flag`,
    );
  if (addresses(actor) !== undefined)
    return wrong(`the actor "${actor.name}" cannot listen as well`, 'leave its --listen out');
  return { value: { actor: actor.name, ...io.pipes() } };
}
