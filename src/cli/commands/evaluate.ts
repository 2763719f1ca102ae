import { seeThrough } from '../../disguise/see-through.ts';
import { readRecord } from '../../evaluate/read-record.ts';
import { traceEvaluator } from '../../evaluate-trace.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { visible } from '../../report/visible.ts';
import { redactorFor } from '../../secrets/redactor.ts';
import { judgeTrace } from '../../suite/judge-trace.ts';
import type { ExaminedJudge } from '../../suite/judging/examined-judge.ts';
import type { Arguments, Command } from '../commands.ts';
import { loadDocument } from '../input/load-document.ts';
import { readTrace } from '../input/read-trace.ts';
import { complain, type Io } from '../io.ts';
import type { CommandOutcome } from '../outcome.ts';
import { tellRefusedJudge } from '../run/results/refused-judge.ts';
import { readJudge } from '../run/settings/judge-flag.ts';
import { exitFor } from '../verdict/exit.ts';
import { judgementToJson } from '../verdict/json.ts';
import type { EvaluationReport } from '../verdict/judgement.ts';
import { judgementToText } from '../verdict/text.ts';

type Values = Arguments<'evaluate'>;

export const evaluate: Command<'evaluate'> = async (values, io) => {
  if (values.document === '-' && values.trace === '-')
    return complain(io, 'usage', 'evaluate: standard input cannot be both the document and the trace');
  const loaded = await loadDocument(values.document, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document, file } = loaded;
  if (document.attack.indicators === undefined || document.attack.indicators.length === 0)
    return complain(
      io,
      'invalid',
      `${file}: the document has no indicators, so there is nothing to judge a run by`,
      'say under attack.indicators what shows that the attack succeeded',
    );
  const asked = await readJudge(values, io);
  if ('message' in asked) return complain(io, 'usage', `evaluate: ${asked.message}`, asked.hint);
  const judged = await judge(document, file, values, asked.value, io);
  if ('exit' in judged) return judged;
  await hintAtStrangers(judged, io);
  await io.stdout.write(
    values.json
      ? judgementToJson(judged)
      : judgementToText(judged, {
          sink: io.stdout,
          redactor: redactorFor(values.showSecrets),
          verbose: values.verbose,
        }),
  );
  return { exit: exitFor([judged.outcome]) };
};

async function judge(
  document: NormalizedDocument,
  file: string,
  { trace, lenient, projections }: Values,
  asked: ExaminedJudge | undefined,
  io: Io,
): Promise<EvaluationReport | CommandOutcome> {
  // No client waits for an answer here, so only each single expression has a time limit.
  const limits = { documentMs: Number.POSITIVE_INFINITY };
  const evaluator =
    asked === undefined
      ? traceEvaluator(document, { limits, projections, seeThrough })
      : await judgeTrace(document, { limits, projections, judge: asked });
  let records = 0;
  const reading = await readTrace(
    trace,
    {
      accept(value) {
        const read = readRecord(value, document);
        if (!read.ok) return read.message;
        records += 1;
        evaluator.add(read.record);
        return undefined;
      },
      proceed: async () => true,
    },
    lenient,
    io,
  );
  if (reading.kind === 'failed') return reading.outcome;
  const { verdict, delivery, coverage, outcome, task, demand, voided } = await evaluator.finish();
  await tellRefusedJudge(asked, io);
  return {
    document,
    file,
    trace: trace === '-' ? '<stdin>' : visible(trace),
    verdict,
    delivery,
    coverage,
    demand,
    outcome,
    task,
    voided,
    records,
    skippedLines: reading.skipped,
  };
}

/** Warns if the trace seems to belong to another document: its verdict would mean nothing. */
async function hintAtStrangers({ document, delivery }: EvaluationReport, io: Io): Promise<void> {
  const actors = new Map(document.attack.execution.actors.map((actor) => [actor.name, actor]));
  const strangers = Object.entries(delivery).flatMap(([name, { phasesEntered }]) => {
    const actor = actors.get(name);
    // The pseudo-actor of the user is in no document.
    if (actor === undefined) return name.startsWith('@') ? [] : [`actor "${visible(name)}"`];
    const phases = new Set(actor.phases.map((phase) => phase.name));
    return phasesEntered.filter((phase) => !phases.has(phase)).map((phase) => `phase "${visible(phase)}"`);
  });
  if (strangers.length > 0)
    await io.stderr.write(
      `oatf: hint: the document has no ${strangers.slice(0, 3).join(', ')}; is this a trace of it?\n`,
    );
}
