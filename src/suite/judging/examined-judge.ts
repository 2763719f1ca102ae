import type { Usage } from '../../agents/adapters/agent-under-test.ts';
import type { JudgeScore } from '../../agents/adapters/judging.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import { defaultThreshold } from '../../judgement/evaluate/semantic.ts';
import { controlQuestions, createExam, type ExamQuestion, findFault } from './exam.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import type { SemanticJudge } from './semantic-judge.ts';
import { findHighestScore, refuseLongText, splitForJudge } from './split-for-judge.ts';

type SemanticBlock = NonNullable<NormalizedIndicator['semantic']>;

/** Limits for a judge that may be slow, expensive or wrong. */
export interface JudgeLimits {
  /** The most questions in total, exams included. Default: no limit. */
  readonly budget?: number | undefined;
  /** Milliseconds for one answer. Default: a minute. */
  readonly answerMs?: number | undefined;
  /** How often a question without an answer is asked. Default: three times. */
  readonly tries?: number | undefined;
  /** The most questions at a time. Default: four. */
  readonly concurrency?: number | undefined;
}

/** The result of a question. */
export type JudgeAnswer =
  | JudgeScore
  /** The reason why the judge is not used. */
  | { readonly unused: string }
  | { readonly failure: string };

/** A judge that must pass its exam before it is used, and is asked each question only once. */
export interface ExaminedJudge {
  readonly name: string;
  ask(semantic: NonNullable<NormalizedIndicator['semantic']>, text: string): Promise<JudgeAnswer>;
  /** Lets one run be judged at a time. */
  inTurn<T>(judging: () => Promise<T>): Promise<T>;
  /** Questions and tokens so far, exams included. */
  spent(): JudgeExpense;
  /** The reasons why the judge is not used, each once. */
  readonly refused: ReadonlySet<string>;
}

/** The questions and tokens that a judge has used. */
export interface JudgeExpense {
  readonly questions: number;
  readonly usage?: Usage | undefined;
}

const usual = { answerMs: 60_000, tries: 3, concurrency: 4 };

/** Makes a judge take its exam before its first use: our own questions, and the examples of each indicator. */
export function createExaminedJudge(judge: SemanticJudge, limits: JudgeLimits = {}): ExaminedJudge {
  const { budget = Number.POSITIVE_INFINITY } = limits;
  const { answerMs = usual.answerMs, tries = usual.tries, concurrency = usual.concurrency } = limits;
  const atATime = limitConcurrency(concurrency);
  const answers = new Map<string, Promise<JudgeAnswer>>();
  const exams = new Map<string, Promise<string | undefined>>();
  const refused = new Set<string>();
  let questions = 0;

  /** The same question about the same text is asked once. */
  function once(semantic: SemanticBlock, text: string): Promise<JudgeAnswer> {
    const { intent, intentClass, threshold, examples } = semantic;
    const key = JSON.stringify([intent, intentClass, threshold, examples, text]);
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = atATime(() => untilAnswered(semantic, text));
      answers.set(key, answer);
    }
    return answer;
  }

  async function inParts(semantic: SemanticBlock, text: string): Promise<JudgeAnswer> {
    const parts = splitForJudge(text, judge.longestText ?? Number.POSITIVE_INFINITY);
    if (parts === undefined) return refuseLongText(text);
    const answers = await Promise.all(parts.map((part) => once(semantic, part)));
    return findHighestScore(answers, semantic.threshold ?? defaultThreshold);
  }

  async function untilAnswered(semantic: SemanticBlock, text: string): Promise<JudgeAnswer> {
    let failure = '';
    for (let count = 0; count < tries; count++) {
      if (questions >= budget) return { failure: `the budget of ${budget} questions (--judge-budget) is spent` };
      questions += 1;
      const answer = await askJudge(judge, semantic, text, answerMs);
      if (!('failure' in answer)) return answer;
      failure = answer.failure;
    }
    return { failure };
  }

  async function faultOf(exam: readonly ExamQuestion[]): Promise<string | undefined> {
    const faults = await Promise.all(
      exam.map(async (question) => {
        const answer = await once(question.semantic, question.text);
        if ('score' in answer) return findFault(question, answer.score);
        return 'failure' in answer ? answer.failure : answer.unused;
      }),
    );
    return faults.find((fault) => fault !== undefined);
  }

  /** Our own questions come first: a judge that fails them is asked no others. */
  function examined(semantic: SemanticBlock): Promise<string | undefined> {
    const { intent, intentClass, threshold, examples } = semantic;
    const key = JSON.stringify([intent, intentClass, threshold, examples]);
    let exam = exams.get(key);
    if (exam === undefined) {
      exam = (async () => {
        const ours = exams.get('') ?? faultOf(controlQuestions);
        exams.set('', ours);
        return (await ours) ?? (await faultOf(createExam(semantic)));
      })();
      exams.set(key, exam);
    }
    return exam;
  }

  return {
    name: judge.name,
    refused,
    inTurn: limitConcurrency(1),
    async ask(semantic, text) {
      const fault = await examined(semantic);
      if (fault === undefined) return inParts(semantic, text);
      const reason = `the judge ${judge.name} failed its exam: ${fault}`;
      refused.add(reason);
      return { unused: reason };
    },
    spent() {
      const usage = judge.usage?.();
      return { questions, ...(usage !== undefined && { usage }) };
    },
  };
}

async function askJudge(
  { judge }: SemanticJudge,
  semantic: SemanticBlock,
  text: string,
  answerMs: number,
): Promise<JudgeScore | { readonly failure: string }> {
  const { intent, intentClass, threshold = defaultThreshold, examples } = semantic;
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ readonly failure: string }>((resolve) => {
    timer = setTimeout(() => {
      resolve({ failure: `it gave no answer in ${answerMs} ms` });
      patience.abort();
    }, answerMs);
  });
  const question = { text, intent, intentClass, threshold, examples, signal: patience.signal };
  const asked = (async () => checkJudgeAnswer(await judge(question)))().catch((thrown: unknown) => ({
    failure: thrown instanceof Error ? thrown.message : String(thrown),
  }));
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

function checkJudgeAnswer(answer: number | JudgeScore): JudgeScore | { readonly failure: string } {
  const { score, words } = typeof answer === 'number' ? { score: answer, words: undefined } : (answer ?? {});
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    return { failure: `it gave no score from 0 to 1: ${String(score).slice(0, 100)}` };
  return { score, ...(words !== undefined && { words }) };
}
