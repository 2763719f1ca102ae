import { describe, expect, test } from 'vitest';
import { includedViews } from '../../../src/attack/bindings/included-views.ts';
import { createEvaluationError } from '../../../src/format/model/errors.ts';
import type { IndicatorOutcome } from '../../../src/judgement/evaluate/indicator-outcome.ts';
import { createJudgedTraceEvaluator, type JudgeReply } from '../../../src/judgement/evaluate/judged-trace-evaluator.ts';
import { createMessageView } from '../../../src/judgement/evaluate/message-view.ts';
import {
  decideByScores,
  evaluateSemanticOutcome,
  evaluateSemanticOutcomeAsync,
  listCandidates,
} from '../../../src/judgement/evaluate/semantic.ts';
import { documentWith, message } from '../../support/records.ts';

// What a judge's scores make of a message.

const semantic = { target: 'x[*]', intent: 'leaks' };
const texts = createMessageView({ x: ['a', 'b', { c: 1 }] });
const failure = createEvaluationError('semantic_error', 'no');

describe('decide', () => {
  const candidate = (text: string, own = false) => ({ path: text, text, own });
  const two = [candidate('a'), candidate('b')];
  const ours = [candidate('a', true), candidate('b')];
  test.each<
    [
      title: string,
      candidates: typeof two,
      scores: Parameters<typeof decideByScores>[2],
      expected: object,
      threshold?: number,
    ]
  >([
    ['no text', [], [], { result: 'not_matched' }],
    [
      'a highest score at the threshold',
      two,
      [0.1, 0.7],
      { result: 'matched', evidence: 'score 0.7', match: { path: 'b', from: 0, to: 1 } },
    ],
    [
      'a highest score below the threshold',
      two,
      [0.1, 0.6],
      { result: 'not_matched', evidence: 'score 0.6', isThere: true, score: 0.6 },
    ],
    [
      'a score at the document’s threshold',
      two,
      [0.2, 0.1],
      { result: 'matched', evidence: 'score 0.2', match: { path: 'a', from: 0, to: 1 } },
      0.2,
    ],
    [
      'a highest score below the document’s threshold',
      two,
      [0.8, 0.7],
      { result: 'not_matched', evidence: 'score 0.8', isThere: true, score: 0.8 },
      0.9,
    ],
    [
      'two equally high scores, of which the first counts',
      two,
      [0.8, 0.8],
      { result: 'matched', evidence: 'score 0.8', match: { path: 'a', from: 0, to: 1 } },
    ],
    ['scores of zero', two, [0, 0], { result: 'not_matched', evidence: 'score 0', isThere: true, score: 0 }],
    ['a failure beside a high score', two, [0.9, failure], { result: 'error', error: failure }],
    [
      'a high score of the agent’s text below one of our text',
      ours,
      [0.9, 0.8],
      { result: 'matched', evidence: 'score 0.8', match: { path: 'b', from: 0, to: 1 } },
    ],
    [
      'a high score of our text, where that of the agent’s is too low',
      ours,
      [0.9, 0.1],
      { result: 'matched', evidence: 'score 0.9', match: { path: 'a', from: 0, to: 1, own: true } },
    ],
    [
      'scores of our text and the agent’s that are both too low',
      ours,
      [0.3, 0.1],
      { result: 'not_matched', evidence: 'score 0.1', isThere: true, score: 0.1 },
    ],
    [
      'a low score of our text alone',
      [candidate('a', true)],
      [0.3],
      { result: 'not_matched', evidence: 'score 0.3', isThere: true, score: 0.3 },
    ],
    ['more scores than texts', [], [0.9], { result: 'not_matched' }],
  ])('judges %s', (_, candidates, scores, expected, threshold) => {
    const block = { ...semantic, ...(threshold !== undefined && { threshold }) };
    expect(decideByScores(block, candidates, scores)).toStrictEqual(expected);
  });
});

test('listCandidates returns every value of the target as a text with its path', () => {
  expect(listCandidates(semantic, texts)).toEqual([
    { path: 'x[0]', text: 'a', own: false },
    { path: 'x[1]', text: 'b', own: false },
    { path: 'x[2]', text: '{"c":1}', own: false },
  ]);
  expect(listCandidates(semantic, createMessageView({ x: ['a', 'b'] }, { echoes: [{ path: ['x', 0] }] }))).toEqual([
    { path: 'x[1]', text: 'b', own: false },
    { path: 'x[0]', text: 'a', own: true },
  ]);
  expect(listCandidates(semantic, createMessageView({ x: ['a'] }, { isOurs: true }))[0]?.own).toBe(true);
});

describe('evaluateSemanticOutcome, for an evaluator', () => {
  const examples = { positive: ['p'], negative: [] };
  const block = { ...semantic, intentClass: 'data_exfiltration', threshold: 0.4, examples } as const;

  test('gives the evaluator the text, the intent, the examples, and the threshold if the document has one', async () => {
    const reported: unknown[] = [];
    const evaluate = (...given: unknown[]) => {
      reported.push(given);
      return 0;
    };
    evaluateSemanticOutcome(block, createMessageView({ x: ['a'] }), { evaluate });
    await evaluateSemanticOutcomeAsync(semantic, createMessageView({ x: ['b'] }), { evaluate });
    expect(reported).toEqual([
      ['a', 'leaks', 'data_exfiltration', 0.4, examples],
      ['b', 'leaks', undefined, undefined, undefined],
    ]);
  });

  const asText = (outcome: IndicatorOutcome): string =>
    outcome.result === 'error' ? `${outcome.error.kind}: ${outcome.error.message}` : outcome.result;
  const wrong = (given: string) => `semantic_error: evaluator must give a score from 0 to 1, not ${given}`;
  const thrower = (thrown: unknown) => () => {
    throw thrown;
  };
  test.each<[title: string, evaluate: (text: string) => unknown, expected: string]>([
    ['gives 1', () => 1, 'matched'],
    ['gives 0', () => 0, 'not_matched'],
    ['gives more than 1', () => 1.1, wrong('1.1')],
    ['gives less than 0', () => -0.1, wrong('-0.1')],
    ['gives something other than a number', () => '1', wrong('1')],
    ['gives an error', () => failure, 'semantic_error: no'],
    ['throws', thrower(new Error('broke')), 'semantic_error: broke'],
    ['throws a text', thrower('broke'), 'semantic_error: broke'],
  ])('returns $2 for an evaluator that %s', async (_, evaluate, expected) => {
    const evaluator = { evaluate } as never;
    expect(asText(evaluateSemanticOutcome(semantic, texts, evaluator))).toBe(expected);
    expect(asText(await evaluateSemanticOutcomeAsync(semantic, texts, evaluator))).toBe(expected);
  });

  test('accepts a promise only in evaluateSemanticOutcomeAsync', async () => {
    const evaluator = { evaluate: () => Promise.resolve(1) };
    expect(asText(evaluateSemanticOutcome(semantic, texts, evaluator as never))).toBe(
      wrong('a promise; use the asynchronous entry point'),
    );
    expect(asText(await evaluateSemanticOutcomeAsync(semantic, texts, evaluator))).toBe('matched');
    const refusing = { evaluate: () => Promise.reject(new Error('broke')) };
    expect(asText(await evaluateSemanticOutcomeAsync(semantic, texts, refusing))).toBe('semantic_error: broke');
  });
});

describe('createJudgedTraceEvaluator, for a judge that is asked at the end', () => {
  const document = documentWith({
    execution: { mode: 'mcp_server', state: { tools: [] } },
    indicators: [{ target: 'x[*]', semantic: { intent: 'leaks' } }],
  });
  const user = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client' } as const;
  async function judged(contents: readonly object[], reply: (text: string) => JudgeReply) {
    const evaluator = createJudgedTraceEvaluator({ document }, [], { cel: null });
    for (const content of contents) evaluator.add(message({ content: content as never }));
    const asked: string[] = [];
    const { verdict } = await evaluator.finish(async (_, text) => {
      asked.push(text);
      return reply(text);
    }, 'M');
    const { result, evidence, error } = verdict.indicatorVerdicts[0] ?? {};
    return { told: `${error?.kind ?? result}: ${evidence}`, asked };
  }
  const scores = (byText: { readonly [text: string]: number }, words?: string) => (text: string) => ({
    score: byText[text] ?? 0,
    words: words === undefined ? undefined : `${words} ${text}`,
  });
  test.each<[title: string, reply: (text: string) => JudgeReply, expected: string]>([
    ['gives a score above the threshold', scores({ b: 0.9 }), 'matched: score 0.9 of 0.7 by M'],
    [
      'gives a score above the threshold, with words',
      scores({ b: 0.9 }, 'because of'),
      'matched: score 0.9 of 0.7 by M: because of b',
    ],
    [
      'gives scores below the threshold, with words',
      scores({ a: 0.1, b: 0.2 }, 'because of'),
      'not_matched: score 0.2 of 0.7 by M: because of b',
    ],
    [
      'gives a score above the threshold, without words',
      scores({ b: 0.9 }, undefined),
      'matched: score 0.9 of 0.7 by M',
    ],
    ['is not used', () => ({ unused: 'failed its exam' }), 'skipped: failed its exam'],
    [
      'is not used for one text',
      (text) => (text === 'b' ? { unused: 'no money' } : { score: 0.9 }),
      'skipped: no money',
    ],
    ['is not used for two texts', (text) => ({ unused: text }), 'skipped: a'],
    ['fails', () => ({ failure: 'no answer' }), 'semantic_error: M: no answer'],
    [
      'fails for one text',
      (text) => (text === 'b' ? { failure: 'no answer' } : { score: 0.9 }),
      'semantic_error: M: no answer',
    ],
    ['gives two texts the same score', (text) => ({ score: 0.8, words: text }), 'matched: score 0.8 of 0.7 by M: a'],
    [
      'has words for one of two texts',
      (text) => ({ score: 0.8, words: text === 'b' ? 'why' : '' }),
      'matched: score 0.8 of 0.7 by M: why',
    ],
  ])('concludes $2 from a judge that %s', async (_, reply, expected) => {
    expect((await judged([{ x: ['a', 'b'] }], reply)).told).toBe(expected);
  });

  test('asks about every text once', async () => {
    const { asked } = await judged([{ x: ['a'] }, { x: ['b'] }, { y: 1 }], scores({}));
    expect(asked).toEqual(['a', 'b']);
  });

  test('asks about a text that only the end of the trace completes', async () => {
    const spoken = documentWith({
      execution: { mode: 'ag_ui_client', state: { run_agent_input: { messages: [] } } },
      indicators: [{ target: 'response.content', semantic: { intent: 'leaks' } }],
    });
    const evaluator = createJudgedTraceEvaluator({ document: spoken }, includedViews, { cel: null });
    const method = 'text_message_content';
    for (const delta of ['half ', 'and half'])
      evaluator.add(message({ ...user, kind: 'event', method, content: { messageId: 'm', delta } }));
    const asked: string[] = [];
    await evaluator.finish(async (_, text) => {
      asked.push(text);
      return { score: 0 };
    }, 'M');
    expect(asked).toContain('half and half');
  });

  test('fails if there are more than 1000 messages to judge', async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ x: ['a'] }));
    expect((await judged(many(1_000), scores({}))).told).toBe('not_matched: score 0 of 0.7 by M');
    expect((await judged(many(1_001), scores({}))).told).toBe(
      'semantic_error: there are more than 1000 messages to judge',
    );
  });
});
