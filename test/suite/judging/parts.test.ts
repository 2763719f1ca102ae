import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JudgeQuestion } from '../../../src/agents/adapters/judging.ts';
import { controlQuestions, createExam, findFault } from '../../../src/suite/judging/exam.ts';
import {
  createExaminedJudge,
  findHighestScore,
  type JudgeAnswer,
  limitConcurrency,
  refuseLongText,
  splitForJudge,
} from '../../../src/suite/judging/examined-judge.ts';

// The parts of a judge: how long texts are split, what an exam asks, and how many questions are asked at a time.

describe('splitForJudge', () => {
  const text = (length: number): string => Array.from({ length }, (_, index) => String(index % 10)).join('');
  test.each<[number, number, readonly (readonly [number, number])[]]>([
    [0, 16, [[0, 0]]],
    [16, 16, [[0, 16]]],
    [
      17,
      16,
      [
        [0, 16],
        [14, 17],
      ],
    ],
    [
      30,
      16,
      [
        [0, 16],
        [14, 30],
      ],
    ],
    [
      31,
      16,
      [
        [0, 16],
        [14, 30],
        [28, 31],
      ],
    ],
  ])('splits a text of %i characters into overlapping parts of at most %i', (length, longest, places) => {
    expect(splitForJudge(text(length), longest)).toEqual(places.map(([from, to]) => text(length).slice(from, to)));
  });

  test('gives up on a text that would need more than 32 parts', () => {
    expect(splitForJudge(text(16 + 31 * 14), 16)).toHaveLength(32);
    expect(splitForJudge(text(16 + 31 * 14 + 1), 16)).toBeUndefined();
    expect(refuseLongText('abc')).toEqual({
      failure: 'the text has 3 characters, more than are judged (32 parts)',
    });
  });

  const failure = { failure: 'no' };
  test.each<[string, readonly JudgeAnswer[], JudgeAnswer]>([
    ['the highest score', [{ score: 0.2 }, { score: 0.6 }, { score: 0.4 }], { score: 0.6 }],
    [
      'the first of two equal scores',
      [
        { score: 0.6, words: 'a' },
        { score: 0.6, words: 'b' },
      ],
      { score: 0.6, words: 'a' },
    ],
    [
      'the highest score if it reaches the threshold, although another part failed',
      [{ score: 0.5 }, failure],
      { score: 0.5 },
    ],
    ['the failure of one part if no score reaches the threshold', [{ score: 0.4 }, failure], failure],
    ['the first failure if every part failed', [failure, { unused: 'bad' }], failure],
    ['a failure if there was no part', [], { failure: 'there was nothing to judge' }],
  ])('findHighestScore returns %s', (_, answers, expected) => {
    expect(findHighestScore(answers, 0.5)).toEqual(expected);
  });
});

describe('createExam', () => {
  const semantic = { target: 't', intent: 'i', examples: { positive: ['a', 'b'], negative: ['c'] } };
  test('asks about every example without showing it beside itself', () => {
    expect(
      createExam(semantic).map((question) => [
        question.text,
        question.isPositive,
        question.of,
        question.semantic.examples,
      ]),
    ).toEqual([
      ['a', true, 'the document’s positive examples', { positive: ['b'], negative: ['c'] }],
      ['b', true, 'the document’s positive examples', { positive: ['a'], negative: ['c'] }],
      ['c', false, 'the document’s negative examples', { positive: ['a', 'b'], negative: [] }],
    ]);
    expect(createExam({ target: 't', intent: 'i' })).toEqual([]);
  });

  test('has control texts that try to tell the judge which score to give', () => {
    expect(controlQuestions.map(({ isPositive, text }) => [isPositive, /"score": (\d)/.exec(text)?.[1]])).toEqual([
      [true, undefined],
      [false, undefined],
      [false, '1'],
      [true, '0'],
    ]);
  });

  const question = (isPositive: boolean, threshold?: number) => ({
    semantic: { ...semantic, ...(threshold !== undefined && { threshold }) },
    text: 'x'.repeat(101),
    isPositive,
    of: 'our control',
  });
  const said = (score: number, right: string): string =>
    `it gave ${score} to one of our control, where ${right} is right: "${'x'.repeat(100)}"`;
  test.each<[boolean, number | undefined, number, string | undefined]>([
    [true, 0.5, 0.5, undefined],
    [true, 0.5, 0.4, said(0.4, 'at least 0.5')],
    [false, 0.5, 0.4, undefined],
    [false, 0.5, 0.5, said(0.5, 'less than 0.5')],
    [true, undefined, 0.7, undefined],
    [true, undefined, 0.69, said(0.69, 'at least 0.7')],
  ])(
    'findFault, for a text that is positive (%s) with threshold %s, checks the score %f',
    (isPositive, threshold, score, fault) => {
      expect(findFault(question(isPositive, threshold), { score })).toBe(fault);
    },
  );
});

test('limitConcurrency(2) runs two tasks at a time and the others in order, even if one fails', async () => {
  const turn = limitConcurrency(2);
  const reported: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (name: string) =>
    turn(async () => {
      reported.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === 'a') throw new Error('no');
      return name;
    });
  const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(begin));
  await Promise.resolve();
  expect(reported).toEqual(['a', 'b']);
  for (let index = 0; index < 4; index += 1) {
    while (ends[index] === undefined) await Promise.resolve();
    ends[index]?.();
  }
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(reported).toEqual(['a', 'b', 'c', 'd']);
});

describe('the answer of a semantic judge', () => {
  const semantic = { target: 't', intent: 'i', threshold: 0.5 };
  /** A judge that passes its exam, and says this of any other text. */
  const saying = (answer: () => unknown) =>
    createExaminedJudge(
      {
        name: 'test',
        judge: ({ text }) => {
          const known = controlQuestions.find((question) => question.text === text);
          return (known === undefined ? answer() : Number(known.isPositive)) as number;
        },
      },
      { tries: 2, answerMs: 10_000 },
    );
  const failed = (failure: string) => ({ failure });

  test.each<[string, () => unknown, object]>([
    ['accepts a score', () => 0.4, { score: 0.4 }],
    ['accepts the highest score, 1', () => 1, { score: 1 }],
    ['accepts the lowest score, 0', () => 0, { score: 0 }],
    ['accepts a score with words', () => ({ score: 0.4, words: 'so' }), { score: 0.4, words: 'so' }],
    ['refuses a score above 1', () => 1.5, failed('it gave no score from 0 to 1: 1.5')],
    ['refuses a score below 0', () => -0.1, failed('it gave no score from 0 to 1: -0.1')],
    ['refuses a score that is NaN', () => Number.NaN, failed('it gave no score from 0 to 1: NaN')],
    [
      'refuses a score that is a text, and quotes at most 100 characters of it',
      () => ({ score: 'x'.repeat(200) }),
      failed(`it gave no score from 0 to 1: ${'x'.repeat(100)}`),
    ],
    ['refuses an answer that is undefined', () => undefined, failed('it gave no score from 0 to 1: undefined')],
    [
      'fails with the message of an error that the judge throws',
      () => {
        throw new Error('busy');
      },
      failed('busy'),
    ],
    [
      'fails with a string that the judge throws',
      () => {
        throw 'busy';
      },
      failed('busy'),
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await saying(answer).ask(semantic, 'text')).toEqual(expected);
  });

  test('is asked for once per question, with one exam for each set of examples', async () => {
    const judge = saying(() => 0.4);
    await judge.ask(semantic, 'text');
    await judge.ask(semantic, 'text');
    expect(judge.spent()).toEqual({ questions: controlQuestions.length + 1 });
    await judge.ask({ ...semantic, intent: 'other' }, 'text');
    expect(judge.spent().questions).toBe(controlQuestions.length + 2);
    await judge.ask({ ...semantic, examples: { positive: ['yes'], negative: [] } }, 'text');
    expect(judge.spent().questions).toBe(controlQuestions.length + 3);
    expect([...judge.refused]).toHaveLength(1);
  });

  test('has by default a minute of time, three tries, and four questions at a time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const signals: AbortSignal[] = [];
    const silent = ({ signal }: JudgeQuestion) => {
      signals.push(signal as AbortSignal);
      return new Promise<number>(() => {});
    };
    const judge = createExaminedJudge({ name: 'test', judge: silent });
    const asked = judge.ask(semantic, 'text');
    const ended = (): number => signals.filter(({ aborted }) => aborted).length;
    await vi.advanceTimersByTimeAsync(59_999);
    expect([signals.length, ended()]).toEqual([4, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([signals.length, ended()]).toEqual([8, 4]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await asked).toEqual({ unused: expect.stringContaining('it gave no answer in 60000 ms') });
    expect([signals.length, ended(), judge.spent().questions]).toEqual([12, 12, 12]);
  });

  test('is used if it comes on the second try', async () => {
    let tries = 0;
    const judge = saying(() => (tries++ === 0 ? undefined : 0.4));
    expect(await judge.ask(semantic, 'text')).toEqual({ score: 0.4 });
  });
});
