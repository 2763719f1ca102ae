import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { formatCompactJson } from '../../format/primitives/compact-json.ts';
import { selectRedactor } from '../../secrets/redactor.ts';
import { ok } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { readTrace } from '../input/read-trace.ts';
import type { Io } from '../io.ts';
import { createDescriber } from '../trace/describe-record.ts';
import { type TraceViewRecord, toTraceViewRecord } from '../trace/trace-view-record.ts';

type Values = Arguments<'trace'>;

export const runTraceCommand: Command<'trace'> = async (values, io) => {
  const describe = createDescriber({
    sink: io.stdout,
    full: values.full,
    redactor: selectRedactor(values.showSecrets),
  });
  let output = '';
  let [records, shown] = [0, 0];
  const reading = await readTrace(
    values.file,
    {
      accept(value) {
        const record = toTraceViewRecord(value);
        if (record.kind === 'wrong') return record.reason;
        records += 1;
        describe.see(record.kind === 'message' ? record.message.timestamp : record.marker.timestamp);
        if (!passesTraceFilter(record, values)) return undefined;
        shown += 1;
        output += values.json ? `${formatCompactJson(value, 'own')}\n` : formatShownRecord(record, describe);
        return undefined;
      },
      async proceed() {
        await io.stdout.write(output);
        output = '';
        return io.stdout.isOpen();
      },
    },
    values.lenient,
    io,
  );
  if (reading.kind === 'failed') return reading.outcome;
  if (shown === 0) await hintAtNothing(records, values, io);
  return ok;
};

function formatShownRecord(
  record: Exclude<TraceViewRecord, { kind: 'wrong' }>,
  describe: ReturnType<typeof createDescriber>,
) {
  return record.kind === 'message' ? describe.message(record.message) : describe.marker(record.marker);
}

function passesTraceFilter(record: TraceViewRecord, { actor, method }: Values): boolean {
  if (record.kind === 'wrong') return false;
  if (record.kind === 'marker') return method === undefined && (actor === undefined || record.marker.actor === actor);
  const { message } = record;
  return (actor === undefined || message.actor === actor) && (method === undefined || message.method === method);
}

async function hintAtNothing(records: number, { file, actor, method }: Values, io: Io): Promise<void> {
  const name = file === '-' ? '<stdin>' : escapeInvisible(file);
  const filters = [actor, method]
    .filter((filter) => filter !== undefined)
    .map((filter) => `"${escapeInvisible(filter)}"`);
  const what = records === 0 ? 'has no records' : `has no record of ${filters.join(' and ')}`;
  await io.stderr.write(`oatf: hint: ${name} ${what}\n`);
}
