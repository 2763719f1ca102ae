import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JudgeQuestion } from '../../src/agent/judging.ts';
import { atMost } from '../../src/suite/judging/at-most.ts';
import { control, examOf, faultIn } from '../../src/suite/judging/exam.ts';
import { examinedJudge, type JudgeAnswer } from '../../src/suite/judging/examined-judge.ts';
import { highestOf, partsOf, tooLong } from '../../src/suite/judging/in-parts.ts';

// The parts of a judge: how long texts are split, what an exam asks, and how many questions are asked at a time.

describe('a long text', () => {
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
  ])('of %i characters, where %i are read at once', (length, longest, places) => {
    expect(partsOf(text(length), longest)).toEqual(places.map(([from, to]) => text(length).slice(from, to)));
  });

  test('has at most 32 parts', () => {
    expect(partsOf(text(16 + 31 * 14), 16)).toHaveLength(32);
    expect(partsOf(text(16 + 31 * 14 + 1), 16)).toBeUndefined();
    expect(tooLong('abc')).toEqual({ failure: 'the text has 3 characters, more than are judged (32 parts)' });
  });

  const failure = { failure: 'no' };
  test.each<[string, readonly JudgeAnswer[], JudgeAnswer]>([
    ['the highest', [{ score: 0.2 }, { score: 0.6 }, { score: 0.4 }], { score: 0.6 }],
    [
      'the first of equals',
      [
        { score: 0.6, words: 'a' },
        { score: 0.6, words: 'b' },
      ],
      { score: 0.6, words: 'a' },
    ],
    ['the highest, although one failed', [{ score: 0.5 }, failure], { score: 0.5 }],
    ['a failure, as long as nothing is found', [{ score: 0.4 }, failure], failure],
    ['failures alone', [failure, { unused: 'bad' }], failure],
    ['nothing', [], { failure: 'there was nothing to judge' }],
  ])('is judged by %s', (_, answers, expected) => {
    expect(highestOf(answers, 0.5)).toEqual(expected);
  });
});

describe('an exam', () => {
  const semantic = { target: 't', intent: 'i', examples: { positive: ['a', 'b'], negative: ['c'] } };
  test('asks for every example without showing it', () => {
    expect(
      examOf(semantic).map((question) => [
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
    expect(examOf({ target: 't', intent: 'i' })).toEqual([]);
  });

  test('has a control that gives orders', () => {
    expect(control.map(({ isPositive, text }) => [isPositive, /"score": (\d)/.exec(text)?.[1]])).toEqual([
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
  ])('a positive answer (%s) at %s: %f', (isPositive, threshold, score, fault) => {
    expect(faultIn(question(isPositive, threshold), score)).toBe(fault);
  });
});

test('so many at a time, the others in their order, whether or not one fails', async () => {
  const turn = atMost(2);
  const told: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (name: string) =>
    turn(async () => {
      told.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === 'a') throw new Error('no');
      return name;
    });
  const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(begin));
  await Promise.resolve();
  expect(told).toEqual(['a', 'b']);
  for (let index = 0; index < 4; index += 1) {
    while (ends[index] === undefined) await Promise.resolve();
    ends[index]?.();
  }
  expect((await all).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(told).toEqual(['a', 'b', 'c', 'd']);
});

describe('answers of a judge', () => {
  const semantic = { target: 't', intent: 'i', threshold: 0.5 };
  /** A judge that passes its exam, and says this of any other text. */
  const saying = (answer: () => unknown) =>
    examinedJudge(
      {
        name: 'test',
        judge: ({ text }) => {
          const known = control.find((question) => question.text === text);
          return (known === undefined ? answer() : Number(known.isPositive)) as number;
        },
      },
      { tries: 2, answerMs: 10_000 },
    );
  const failed = (failure: string) => ({ failure });

  test.each<[string, () => unknown, object]>([
    ['a score', () => 0.4, { score: 0.4 }],
    ['the highest', () => 1, { score: 1 }],
    ['the lowest', () => 0, { score: 0 }],
    ['a score with words', () => ({ score: 0.4, words: 'so' }), { score: 0.4, words: 'so' }],
    ['too high a score', () => 1.5, failed('it gave no score from 0 to 1: 1.5')],
    ['too low a score', () => -0.1, failed('it gave no score from 0 to 1: -0.1')],
    ['no number', () => Number.NaN, failed('it gave no score from 0 to 1: NaN')],
    [
      'a text',
      () => ({ score: 'x'.repeat(200) }),
      failed(`it gave no score from 0 to 1: ${'x'.repeat(100)}`),
    ],
    ['nothing', () => undefined, failed('it gave no score from 0 to 1: undefined')],
    [
      'an error',
      () => {
        throw new Error('busy');
      },
      failed('busy'),
    ],
    [
      'something thrown',
      () => {
        throw 'busy';
      },
      failed('busy'),
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await saying(answer).ask(semantic, 'text')).toEqual(expected);
  });

  test('the same question is asked once, and each exam once', async () => {
    const judge = saying(() => 0.4);
    await judge.ask(semantic, 'text');
    await judge.ask(semantic, 'text');
    expect(judge.spent()).toEqual({ questions: control.length + 1 });
    await judge.ask({ ...semantic, intent: 'other' }, 'text');
    expect(judge.spent().questions).toBe(control.length + 2);
    await judge.ask({ ...semantic, examples: { positive: ['yes'], negative: [] } }, 'text');
    expect(judge.spent().questions).toBe(control.length + 3);
    expect([...judge.refused]).toHaveLength(1);
  });

  test('the usual limits are a minute for an answer, three tries, and four questions at a time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const signals: AbortSignal[] = [];
    const silent = ({ signal }: JudgeQuestion) => {
      signals.push(signal as AbortSignal);
      return new Promise<number>(() => {});
    };
    const judge = examinedJudge({ name: 'test', judge: silent });
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

  test('a judge that answers on the second try is used', async () => {
    let tries = 0;
    const judge = saying(() => (tries++ === 0 ? undefined : 0.4));
    expect(await judge.ask(semantic, 'text')).toEqual({ score: 0.4 });
  });
});
