import type { Transport } from '../../attack/engine/ports.ts';
import { ownerOnly } from '../../files/stored-file.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { parseDuration } from '../../format/primitives/parse-duration.ts';
import { count } from '../../report/count-text.ts';
import type { CommandOutcome, Exit } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, createRefusal, type Io } from '../io.ts';
import { openPeer } from '../record/asked-peer.ts';
import { readServerToRecord, readWanted, type ServerToRecord } from '../record/read-flags.ts';
import { type SurveyRequest, surveyA2aAgent, surveyMcpServer } from '../record/record-survey.ts';
import { Recording } from '../record/recorded-exchange.ts';
import { openRelay } from '../record/relay.ts';
import { writeRecording } from '../record/write-recording.ts';
import { redirectStdout } from '../run/addresses/stdio-actor.ts';
import { writeOutput } from '../write-whole.ts';

type Values = Arguments<'record'>;

const idShape = /^[A-Z][A-Z0-9-]*-[0-9]{3,}$/;

export const runRecordCommand: Command<'record'> = async (values, given) => {
  const io = values.stdio ? redirectStdout(given) : given;
  const refuse = createRefusal('record', io);
  const seconds = parseDuration(values.timeout);
  if (typeof seconds !== 'number')
    return refuse(`--timeout: "${values.timeout}" is not a duration`, 'such as 30s or 2m');
  if (!idShape.test(values.id)) return refuse(`--id: "${values.id}" is not an id`, 'such as MINE-001');
  if (values.stdio && (values.out === undefined || values.out === '-'))
    return refuse(
      'with --stdio, standard output carries the protocol, so the document needs a file',
      'name a file with --out',
    );
  if (values.stdio && values.listen !== undefined) return refuse('--stdio and --listen cannot be combined');
  const server = readServerToRecord(values, io.environment);
  if ('message' in server) return refuse(`${server.message}`, server.hint);
  const wanted = readWanted(values, server.protocol);
  if ('message' in wanted) return refuse(`${wanted.message}`, wanted.hint);
  const recording = new Recording();
  const isBetween = values.stdio || values.listen !== undefined;
  const failure = isBetween
    ? await recordBetween(server, recording, values, io, given)
    : await recordAlone(server, recording, wanted, seconds * 1000, io);
  if (failure !== undefined) return complain(io, failure.exit, `record: ${failure.reason}`, failure.hint);
  return store(recording, server, values, io);
};

interface Failure {
  readonly exit: Exit;
  readonly reason: string;
  readonly hint?: string;
}

const answerMs = 15_000;

/** The message part that says what is missing if no answer came in time. */
function describeMissingPeer(protocol: Protocol): string {
  return protocol === 'a2a' ? 'the agent gave no card' : 'the server did not introduce itself';
}

async function recordAlone(
  { transport, protocol }: ServerToRecord,
  recording: Recording,
  wanted: SurveyRequest,
  limitMs: number,
  io: Io,
): Promise<Failure | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<'late'>((late) => {
    timer = setTimeout(() => late('late'), limitMs);
  });
  const connection = transport();
  try {
    let unread: string | undefined;
    const peer = await openPeer({
      transport: connection,
      answerMs: Math.min(answerMs, limitMs),
      unread(reason) {
        unread ??= reason;
      },
    });
    const survey = protocol === 'a2a' ? surveyA2aAgent : surveyMcpServer;
    const interruption = io.interruption().then((exit) => ({ exit }));
    const end = await Promise.race([survey(peer, recording, wanted), isLate, interruption]);
    if (typeof end === 'object') return { exit: end.exit, reason: 'interrupted; nothing was written' };
    if (end === 'late')
      recording.leftOut.add(`the server took longer than ${limitMs / 1000} s; the answers until then are written`);
    if (recording.exchanges.length === 0)
      return {
        exit: 'unavailable',
        reason:
          end === 'late'
            ? `${describeMissingPeer(protocol)} within ${limitMs / 1000} s${unread === undefined ? '' : `; its message cannot be read: ${unread}`}`
            : (end ?? 'the server sent nothing'),
        hint: 'check the address or the command; oatf run --connect reaches a server in the same way',
      };
    return undefined;
  } catch (thrown) {
    return { exit: 'unavailable', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  } finally {
    clearTimeout(timer);
    await connection.close();
  }
}

async function recordBetween(
  { transport, createAgentSide, protocol }: ServerToRecord,
  recording: Recording,
  values: Values,
  io: Io,
  given: Io,
): Promise<Failure | undefined> {
  let hungUp = (): void => {};
  const hasHungUp = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const agentSide: Transport = createAgentSide(values.stdio ? { ...given.pipes(), hungUp } : undefined);
  const server = transport();
  const over = io.interruption().then(() => {});
  try {
    const relay = await openRelay({ protocol, agentSide, server, recording, answerMs: 120_000 });
    let forget: (() => void) | undefined;
    const entered = new Promise<void>((resolve) => {
      forget = values.stdio ? undefined : io.enterKey(resolve);
    });
    if (!values.stdio) await io.stderr.write(`oatf: recording at ${relay.url}; Enter or Ctrl-C ends and writes\n`);
    await Promise.race([hasHungUp, over, entered]);
    forget?.();
    await relay.close();
  } catch (thrown) {
    await agentSide.close();
    await server.close();
    return { exit: 'unavailable', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  // A client may launch us once only to learn our version, and again to use us.
  if (recording.exchanges.every(({ method }) => method === 'initialize'))
    return { exit: 'undecided', reason: 'no client asked for anything, so nothing was written' };
  return undefined;
}

async function store(
  recording: Recording,
  { protocol }: ServerToRecord,
  values: Values,
  io: Io,
): Promise<CommandOutcome> {
  const written = writeRecording(recording, protocol, values);
  if (!written.ok) return complain(io, 'invalid', `record: ${written.reason}`, 'nothing was written');
  const { out } = values;
  const failed = await writeOutput(out, written.text, io, ownerOnly.file);
  if (failed !== undefined) return failed;
  const leftOut = [...recording.leftOut];
  const counted = Object.entries(written.state).flatMap(([key, items]) =>
    Array.isArray(items) ? [[key, items.length] as const] : [],
  );
  if (values.json && out !== undefined && out !== '-')
    await io.stdout.write(
      `${JSON.stringify({ file: out, protocol, ...Object.fromEntries(counted), secrets_covered: written.covered, left_out: leftOut })}\n`,
    );
  await io.stderr.write(
    `oatf: recorded ${counted.map(([key, number]) => count(number, key.replace(/s$/, ''), key)).join(', ') || 'only its introduction'}, from ${count(recording.exchanges.length, 'answer', 'answers')}\n`,
  );
  if (written.covered)
    await io.stderr.write('oatf: values that look like secrets are masked; --show-secrets keeps them\n');
  for (const each of leftOut) await io.stderr.write(`oatf: left out: ${escapeInvisible(each)}\n`);
  return { exit: leftOut.length === 0 ? 'ok' : 'undecided' };
}
