import { type TraceEvaluation, traceEvaluator } from '../../evaluate-trace.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { isSuccess, type OutcomeName } from '../../format/model/results-file.ts';
import { trackDisclosure } from '../../judgement/disclosure/track-disclosure.ts';
import { findDisguised } from '../../judgement/disguise/find-disguised.ts';
import { readRecord } from '../../judgement/evaluate/read-record.ts';
import { encodeVerdict } from '../../judgement/judge/encode-verdict.ts';
import { selectRedactor } from '../../secrets/redactor.ts';
import type { ExaminedJudge } from '../../suite/judging/examined-judge.ts';
import { createDocumentEntry } from '../../suite/plan/plan.ts';
import type { JudgeFacts } from '../../suite/play/judge-trace.ts';
import { judgeTrace } from '../../suite/play/judge-trace.ts';
import type { CommandOutcome, Exit } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { loadDocument } from '../input/load-document.ts';
import { readTrace } from '../input/read-trace.ts';
import { complain, createRefusal, type Io } from '../io.ts';
import { readJudge, reportRefusedJudge } from '../run/settings/judge-flag.ts';
import type { EvaluationReport } from '../verdict/verdict-text.ts';
import { formatJudgement } from '../verdict/verdict-text.ts';
import { version } from '../version.ts';

type Values = Arguments<'evaluate'>;

export const runEvaluateCommand: Command<'evaluate'> = async (values, io) => {
  const refuse = createRefusal('evaluate', io);
  if (values.document === '-' && values.trace === '-')
    return refuse('standard input cannot be both the document and the trace');
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
  if ('message' in asked) return refuse(`${asked.message}`, asked.hint);
  const judged = await judge(document, file, values, asked.value, io);
  if ('exit' in judged) return judged;
  await hintAtStrangers(judged, io);
  await io.stdout.write(
    values.json
      ? formatJudgementJson(judged)
      : formatJudgement(judged, {
          sink: io.stdout,
          redactor: selectRedactor(values.showSecrets),
          verbose: values.verbose,
        }) + formatTwinNote(judged, io),
  );
  return { exit: chooseExit([judged.outcome]) };
};

/** One trace cannot tell whether the agent does the same without the attack. */
function formatTwinNote(judged: EvaluationReport, { stdout }: Io): string {
  if (!isSuccess(judged)) return '';
  // A document without marks has no benign twin.
  const advice = judged.coverage.inferred ? '' : '; oatf run --twins can';
  return `${stdout.colours.yellow('note')}  one trace knows no benign twin, so it cannot tell whether the attack caused this${advice}\n`;
}

async function judge(
  document: NormalizedDocument,
  file: string,
  { trace, lenient, projections }: Values,
  asked: ExaminedJudge | undefined,
  io: Io,
): Promise<EvaluationReport | CommandOutcome> {
  // No client waits for an answer here, so only each single expression has a time limit.
  const limits = { documentSteps: Number.POSITIVE_INFINITY };
  const evaluator =
    asked === undefined
      ? traceEvaluator(document, { limits, projections, findDisguised, trackDisclosure })
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
      skip: evaluator.noteUnread,
    },
    lenient,
    io,
  );
  if (reading.kind === 'failed') return reading.outcome;
  // The semantic judge's questions are counted only where runs are stored.
  const found: TraceEvaluation & { readonly judged?: JudgeFacts } = await evaluator.finish();
  const { judged: _, ...judged } = found;
  await reportRefusedJudge(asked, io);
  return {
    document,
    file,
    trace: trace === '-' ? '<stdin>' : escapeInvisible(trace),
    ...judged,
    records,
    skippedLines: reading.skipped,
  };
}

/** Warns if the trace seems to belong to another document: its verdict would mean nothing. */
async function hintAtStrangers({ document, delivery }: EvaluationReport, io: Io): Promise<void> {
  const actors = new Map(document.attack.execution.actors.map((actor) => [actor.name, actor]));
  const strangers = Object.entries(delivery).flatMap(([name, { phases_entered }]) => {
    const actor = actors.get(name);
    // The pseudo-actor of the user is in no document.
    if (actor === undefined) return name.startsWith('@') ? [] : [`actor "${escapeInvisible(name)}"`];
    const phases = new Set(actor.phases.map((phase) => phase.name));
    return phases_entered.filter((phase) => !phases.has(phase)).map((phase) => `phase "${escapeInvisible(phase)}"`);
  });
  if (strangers.length > 0)
    await io.stderr.write(
      `oatf: hint: the document has no ${strangers.slice(0, 3).join(', ')}; is this a trace of it?\n`,
    );
}

const exits: { readonly [O in OutcomeName]: Exit } = {
  resisted: 'ok',
  exploited: 'found',
  partial: 'found',
  not_applicable: 'ok',
  inconclusive: 'undecided',
  error: 'undecided',
};

const mostSevere: readonly Exit[] = ['found', 'undecided'];

/** The exit of several runs: one successful attack outweighs any number of runs that could not be judged. */
function chooseExit(outcomes: Iterable<OutcomeName>): Exit {
  const seen = new Set([...outcomes].map((outcome) => exits[outcome]));
  return mostSevere.find((exit) => seen.has(exit)) ?? 'ok';
}

/** A run in the shape of stored results: the verdict of the format spec, and our own fields next to it. */
function formatJudgementJson(judgement: EvaluationReport): string {
  const { document, file, trace, verdict, delivery, records, skippedLines, absent: _, twin: __, ...judged } = judgement;
  const data = {
    document: createDocumentEntry(document, file),
    trace,
    verdict: encodeVerdict(verdict, `oatf/${version}`),
    ...judged,
    delivery,
    ...(isSuccess(judgement) && { attribution: 'unknown' }),
    records,
    skipped_lines: skippedLines,
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}
