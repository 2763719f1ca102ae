import { parseValue } from '../../format/document/read-yaml.ts';
import type { Condition, MatchPredicate } from '../../format/model/attack-document.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { count } from '../../report/count-text.ts';
import { selectRedactor } from '../../secrets/redactor.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { readTrace } from '../input/read-trace.ts';
import { createRefusal, type Io } from '../io.ts';
import {
  type AttemptOrProblem,
  type AttemptResult,
  createExtractorAttempt,
  createPatternAttempt,
  createPredicateAttempt,
  createTemplateAttempt,
} from '../try/attempts.ts';
import { createCelAttempt } from '../try/cel-attempt.ts';

type Values = Arguments<'try'>;

const kinds = ['pattern', 'cel', 'extractor', 'template', 'predicate'] as const;

export const runTryCommand: Command<'try'> = async (values, io) => {
  const refuse = createRefusal('try', io);
  const given = kinds.filter((kind) => values[kind] !== undefined);
  if (given.length !== 1)
    return refuse(
      `${given.length === 0 ? 'there is nothing to try' : 'one thing is tried at a time'}`,
      'give one of --pattern, --cel, --extractor, --template and --predicate',
    );
  if ((values.trace === undefined) === (values.message === undefined))
    return refuse('give either --trace or --message');
  const made = createAttempt(values);
  if (!made.ok) return refuse(`${made.problem}`);
  const records = await loadTriedRecords(values, io);
  if ('exit' in records) return records;
  const tried = records.map((record) => ({ record, ...made.attempt.on(record) }));
  const held = tried.filter(({ holds }) => holds);
  const nearest = held.length > 0 ? undefined : made.attempt.nearest(records);
  const { text: safe } = selectRedactor(values.showSecrets);
  if (values.json)
    await io.stdout.write(
      `${JSON.stringify({ version: 1, holds: held.length, messages: tried.map(({ record: { seq, actor, method }, holds, saw }) => ({ record: seq, actor, method, holds, saw: saw.map(safe) })), ...(nearest !== undefined && { nearest: safe(nearest) }) }, null, 2)}\n`,
    );
  else await io.stdout.write(safe(formatTriedRecords(tried, nearest, io)));
  return { exit: held.length > 0 ? 'ok' : 'found' };
};

function formatTriedRecords(
  tried: readonly (AttemptResult & { readonly record: MessageRecord })[],
  nearest: string | undefined,
  { stdout: { colours } }: Io,
): string {
  const lines = tried.flatMap(({ record: { seq, actor, method, origin }, holds, saw }) => [
    `${holds ? colours.green('✓') : colours.red('✗')} ${escapeInvisible(`record ${seq}  ${origin === 'agent' ? '→' : '←'} ${actor}  ${method}`)}`,
    ...saw.map((line) => `    ${escapeInvisible(line)}`),
  ]);
  const held = tried.filter(({ holds }) => holds).length;
  return `${[...lines, `${held} of ${count(tried.length, 'message', 'messages')}`, ...(nearest === undefined ? [] : [`nearest: ${escapeInvisible(nearest)}`])].join('\n')}\n`;
}

function createAttempt({ pattern, cel, extractor, template, predicate, target }: Values): AttemptOrProblem {
  if (cel !== undefined) return createCelAttempt(cel);
  if (extractor !== undefined) return createExtractorAttempt(extractor);
  if (template !== undefined) return createTemplateAttempt(template);
  const written = pattern ?? predicate ?? '';
  const value = parseValue(written);
  if (!value.ok) return { ok: false, problem: `"${written}" cannot be read: ${value.problem}` };
  if (pattern !== undefined) return createPatternAttempt(target, value.value as Condition);
  return isValueMap(value.value)
    ? createPredicateAttempt(value.value as MatchPredicate)
    : {
        ok: false,
        problem: 'a predicate is a mapping of paths to conditions, such as {arguments.city: Lisbon}',
      };
}

async function loadTriedRecords(values: Values, io: Io): Promise<readonly MessageRecord[] | CommandOutcome> {
  const refuse = createRefusal('try', io);
  const { message, trace, method, actor } = values;
  if (message !== undefined) {
    const read = parseValue(message);
    if (!read.ok) return refuse(`--message cannot be read: ${read.problem}`);
    return [createTriedRecord(read.value)];
  }
  const records: MessageRecord[] = [];
  const reading = await readTrace(
    trace ?? '-',
    {
      accept(value) {
        if (!isValueMap(value) || typeof value.method !== 'string') return undefined;
        const isWanted =
          (method === undefined || value.method === method) && (actor === undefined || value.actor === actor);
        const isAgents = value.origin === 'agent' || value.direction === 'incoming';
        if (isWanted && (isAgents || values.all))
          records.push({ ...createTriedRecord(null), ...(value as unknown as MessageRecord) });
        return undefined;
      },
    },
    false,
    io,
  );
  if (reading.kind === 'failed') return reading.outcome;
  if (records.length === 0)
    return refuse('the trace has no such message', 'leave --method and --actor out; --all takes our own messages, too');
  return records;
}

function createTriedRecord(content: Value): MessageRecord {
  return {
    seq: 1,
    timestamp: '',
    actor: '',
    protocol: '',
    mode: '',
    kind: 'request',
    origin: 'agent',
    method: 'message',
    content,
  };
}
