import type { Usage } from '../../agents/adapters/agent-under-test.ts';
import type { JudgeFunction, JudgeScore } from '../../agents/adapters/judging.ts';
import { defaultThreshold } from '../../judgement/evaluate/semantic.ts';
import { type AskedIntent, controlQuestions, createExam, type ExamQuestion, findFault } from './exam.ts';

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
  /** `exam` takes the place of the examples of the intent. */
  ask(semantic: AskedIntent, text: string, exam?: readonly ExamQuestion[]): Promise<JudgeAnswer>;
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
  function once(semantic: AskedIntent, text: string): Promise<JudgeAnswer> {
    const { intent, intentClass, threshold, examples, quotes } = semantic;
    const key = JSON.stringify([intent, intentClass, threshold, examples, quotes, text]);
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = atATime(() => untilAnswered(semantic, text));
      answers.set(key, answer);
    }
    return answer;
  }

  async function inParts(semantic: AskedIntent, text: string): Promise<JudgeAnswer> {
    const parts = splitForJudge(text, judge.longestText ?? Number.POSITIVE_INFINITY);
    if (parts === undefined) return refuseLongText(text);
    const answers = await Promise.all(parts.map((part) => once(semantic, part)));
    return findHighestScore(answers, semantic.threshold ?? defaultThreshold);
  }

  async function untilAnswered(semantic: AskedIntent, text: string): Promise<JudgeAnswer> {
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

  async function findExamFault(exam: readonly ExamQuestion[]): Promise<string | undefined> {
    const faults = await Promise.all(
      exam.map(async (question) => {
        const answer = await once(question.semantic, question.text);
        if ('score' in answer) return findFault(question, answer);
        return 'failure' in answer ? answer.failure : answer.unused;
      }),
    );
    return faults.find((fault) => fault !== undefined);
  }

  /** Our own questions come first: a judge that fails them is asked no others. */
  function examined(semantic: AskedIntent, questions: readonly ExamQuestion[]): Promise<string | undefined> {
    const { intent, intentClass, threshold, examples } = semantic;
    const key = JSON.stringify([intent, intentClass, threshold, examples]);
    let exam = exams.get(key);
    if (exam === undefined) {
      exam = (async () => {
        const ours = exams.get('') ?? findExamFault(controlQuestions);
        exams.set('', ours);
        return (await ours) ?? (await findExamFault(questions));
      })();
      exams.set(key, exam);
    }
    return exam;
  }

  return {
    name: judge.name,
    refused,
    inTurn: limitConcurrency(1),
    async ask(semantic, text, exam = createExam(semantic)) {
      const fault = await examined(semantic, exam);
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
  semantic: AskedIntent,
  text: string,
  answerMs: number,
): Promise<JudgeScore | { readonly failure: string }> {
  const { intent, intentClass, threshold = defaultThreshold, examples, quotes } = semantic;
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ readonly failure: string }>((resolve) => {
    timer = setTimeout(() => {
      resolve({ failure: `it gave no answer in ${answerMs} ms` });
      patience.abort();
    }, answerMs);
  });
  const question = { text, intent, intentClass, threshold, examples, quotes, signal: patience.signal };
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

/** Lets `count` tasks run at a time; the others wait in order. */
export function limitConcurrency(count: number): <T>(begin: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (begin) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await begin();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** A judge that can be asked, before any exam. */
export interface SemanticJudge {
  /** The engine or model, as results name it. */
  readonly name: string;
  readonly judge: JudgeFunction;
  /** The most characters that it reads at once; longer texts are judged part by part. Default: no limit. */
  readonly longestText?: number | undefined;
  /** The tokens used so far, if it counts them. */
  usage?(): Usage;
}

/** The highest number of parts into which a long text is split. */
const mostParts = 32;

/**
 * Splits a text that is longer than a judge reads at once. Each part shares an eighth with the next, so that words at
 * an edge are read whole. Undefined when there would be too many parts.
 */
export function splitForJudge(text: string, longest: number): readonly string[] | undefined {
  if (text.length <= longest) return [text];
  const step = longest - Math.floor(longest / 8);
  const count = Math.ceil((text.length - longest) / step) + 1;
  if (count > mostParts) return undefined;
  return Array.from({ length: count }, (_, index) => text.slice(index * step, index * step + longest));
}

export function refuseLongText(text: string): JudgeAnswer {
  return {
    failure: `the text has ${text.length} characters, more than are judged (${mostParts} parts)`,
  };
}

/** Takes the highest score. If it is below the threshold, one part without a score leaves the whole text unjudged. */
export function findHighestScore(answers: readonly JudgeAnswer[], threshold: number): JudgeAnswer {
  const scored = answers.flatMap((answer) => ('score' in answer ? [answer] : []));
  const highest = scored.reduce<(typeof scored)[number] | undefined>(
    (best, answer) => (best === undefined || answer.score > best.score ? answer : best),
    undefined,
  );
  const other = answers.find((answer) => !('score' in answer));
  if (highest !== undefined && (other === undefined || highest.score >= threshold)) return highest;
  return other ?? { failure: 'there was nothing to judge' };
}
