import { describe, expect, test } from 'vitest';
import { includedViews } from '../../src/bindings/included.ts';
import { createJudgedTraceEvaluator, type JudgeReply } from '../../src/evaluate/judged-trace.ts';
import { viewMessage } from '../../src/evaluate/message-view.ts';
import type { IndicatorOutcome } from '../../src/evaluate/outcome.ts';
import { candidatesOf, decide, semanticOutcome, semanticOutcomeAsync } from '../../src/evaluate/semantic.ts';
import { evaluationError } from '../../src/model/errors.ts';
import { documentWith, message } from '../support/records.ts';

// What a judge's scores make of a message.

const semantic = { target: 'x[*]', intent: 'leaks' };
const texts = viewMessage({ x: ['a', 'b', { c: 1 }] });
const failure = evaluationError('semantic_error', 'no');

describe('the highest score decides', () => {
  const candidate = (text: string, own = false) => ({ path: text, text, own });
  const two = [candidate('a'), candidate('b')];
  const ours = [candidate('a', true), candidate('b')];
  test.each<
    [
      title: string,
      candidates: typeof two,
      scores: Parameters<typeof decide>[2],
      expected: object,
      threshold?: number,
    ]
  >([
    ['nothing', [], [], { result: 'not_matched' }],
    [
      'at the threshold',
      two,
      [0.1, 0.7],
      { result: 'matched', evidence: 'score 0.7', match: { path: 'b', from: 0, to: 1 } },
    ],
    [
      'below the threshold',
      two,
      [0.1, 0.6],
      { result: 'not_matched', evidence: 'score 0.6', isThere: true, score: 0.6 },
    ],
    [
      'at the document’s threshold',
      two,
      [0.2, 0.1],
      { result: 'matched', evidence: 'score 0.2', match: { path: 'a', from: 0, to: 1 } },
      0.2,
    ],
    [
      'below the document’s threshold',
      two,
      [0.8, 0.7],
      { result: 'not_matched', evidence: 'score 0.8', isThere: true, score: 0.8 },
      0.9,
    ],
    [
      'the first of two that are as high',
      two,
      [0.8, 0.8],
      { result: 'matched', evidence: 'score 0.8', match: { path: 'a', from: 0, to: 1 } },
    ],
    ['nothing at all', two, [0, 0], { result: 'not_matched', evidence: 'score 0', isThere: true, score: 0 }],
    ['a failure', two, [0.9, failure], { result: 'error', error: failure }],
    [
      'theirs, though ours is higher',
      ours,
      [0.9, 0.8],
      { result: 'matched', evidence: 'score 0.8', match: { path: 'b', from: 0, to: 1 } },
    ],
    [
      'ours, where theirs is too low',
      ours,
      [0.9, 0.1],
      { result: 'matched', evidence: 'score 0.9', match: { path: 'a', from: 0, to: 1, own: true } },
    ],
    [
      'theirs, where both are too low',
      ours,
      [0.3, 0.1],
      { result: 'not_matched', evidence: 'score 0.1', isThere: true, score: 0.1 },
    ],
    [
      'ours, where there is nothing of theirs',
      [candidate('a', true)],
      [0.3],
      { result: 'not_matched', evidence: 'score 0.3', isThere: true, score: 0.3 },
    ],
    ['of more scores than texts', [], [0.9], { result: 'not_matched' }],
  ])('%s', (_, candidates, scores, expected, threshold) => {
    const block = { ...semantic, ...(threshold !== undefined && { threshold }) };
    expect(decide(block, candidates, scores)).toStrictEqual(expected);
  });
});

test('every value of the target is a text, with its place', () => {
  expect(candidatesOf(semantic, texts)).toEqual([
    { path: 'x[0]', text: 'a', own: false },
    { path: 'x[1]', text: 'b', own: false },
    { path: 'x[2]', text: '{"c":1}', own: false },
  ]);
  expect(candidatesOf(semantic, viewMessage({ x: ['a', 'b'] }, { echoes: [['x', 0]] }))).toEqual([
    { path: 'x[1]', text: 'b', own: false },
    { path: 'x[0]', text: 'a', own: true },
  ]);
  expect(candidatesOf(semantic, viewMessage({ x: ['a'] }, { isOurs: true }))[0]?.own).toBe(true);
});

describe('an evaluator', () => {
  const examples = { positive: ['p'], negative: [] };
  const block = { ...semantic, intentClass: 'data_exfiltration', threshold: 0.4, examples } as const;

  test('is told what to look for', async () => {
    const told: unknown[] = [];
    const evaluate = (...given: unknown[]) => {
      told.push(given);
      return 0;
    };
    semanticOutcome(block, viewMessage({ x: ['a'] }), { evaluate });
    await semanticOutcomeAsync(semantic, viewMessage({ x: ['b'] }), { evaluate });
    expect(told).toEqual([
      ['a', 'leaks', 'data_exfiltration', 0.4, examples],
      ['b', 'leaks', undefined, 0.7, undefined],
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
    ['gives more', () => 1.1, wrong('1.1')],
    ['gives less', () => -0.1, wrong('-0.1')],
    ['gives no number', () => '1', wrong('1')],
    ['gives an error', () => failure, 'semantic_error: no'],
    ['throws', thrower(new Error('broke')), 'semantic_error: broke'],
    ['throws words', thrower('broke'), 'semantic_error: broke'],
  ])('that %s', async (_, evaluate, expected) => {
    const evaluator = { evaluate } as never;
    expect(asText(semanticOutcome(semantic, texts, evaluator))).toBe(expected);
    expect(asText(await semanticOutcomeAsync(semantic, texts, evaluator))).toBe(expected);
  });

  test('that promises needs the other entry', async () => {
    const evaluator = { evaluate: () => Promise.resolve(1) };
    expect(asText(semanticOutcome(semantic, texts, evaluator as never))).toBe(
      wrong('a promise; use the asynchronous entry point'),
    );
    expect(asText(await semanticOutcomeAsync(semantic, texts, evaluator))).toBe('matched');
    const refusing = { evaluate: () => Promise.reject(new Error('broke')) };
    expect(asText(await semanticOutcomeAsync(semantic, texts, refusing))).toBe('semantic_error: broke');
  });
});

describe('a judge who is asked in the end', () => {
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
    ['matches', scores({ b: 0.9 }), 'matched: score 0.9 of 0.7 by M'],
    ['matches, with words', scores({ b: 0.9 }, 'because of'), 'matched: score 0.9 of 0.7 by M: because of b'],
    [
      'does not match',
      scores({ a: 0.1, b: 0.2 }, 'because of'),
      'not_matched: score 0.2 of 0.7 by M: because of b',
    ],
    ['has no words', scores({ b: 0.9 }, undefined), 'matched: score 0.9 of 0.7 by M'],
    ['is not used', () => ({ unused: 'failed its exam' }), 'skipped: failed its exam'],
    [
      'is not used for one',
      (text) => (text === 'b' ? { unused: 'no money' } : { score: 0.9 }),
      'skipped: no money',
    ],
    ['is not used for two', (text) => ({ unused: text }), 'skipped: a'],
    ['fails', () => ({ failure: 'no answer' }), 'semantic_error: M: no answer'],
    [
      'fails for one',
      (text) => (text === 'b' ? { failure: 'no answer' } : { score: 0.9 }),
      'semantic_error: M: no answer',
    ],
    ['says the same of two', (text) => ({ score: 0.8, words: text }), 'matched: score 0.8 of 0.7 by M: a'],
    [
      'has words for one of two',
      (text) => ({ score: 0.8, words: text === 'b' ? 'why' : '' }),
      'matched: score 0.8 of 0.7 by M: why',
    ],
  ])('%s', async (_, reply, expected) => {
    expect((await judged([{ x: ['a', 'b'] }], reply)).told).toBe(expected);
  });

  test('sees every text once', async () => {
    const { asked } = await judged([{ x: ['a'] }, { x: ['b'] }, { y: 1 }], scores({}));
    expect(asked).toEqual(['a', 'b']);
  });

  test('sees what only the end of the trace completes', async () => {
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

  test('sees so many messages and no more', async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ x: ['a'] }));
    expect((await judged(many(1_000), scores({}))).told).toBe('not_matched: score 0 of 0.7 by M');
    expect((await judged(many(1_001), scores({}))).told).toBe(
      'semantic_error: there are more than 1000 messages to judge',
    );
  });
});
