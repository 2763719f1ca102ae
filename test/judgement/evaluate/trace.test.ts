import { describe, expect, test } from 'vitest';
import { includedViews } from '../../../src/attack/bindings/included-views.ts';
import { addWork } from '../../../src/format/expression/counted-work.ts';
import type { BindingViews } from '../../../src/format/model/binding-views.ts';
import { createEvaluationError } from '../../../src/format/model/errors.ts';
import type { SemanticEvaluator } from '../../../src/format/model/extension-points.ts';
import type { TraceRecord } from '../../../src/format/model/trace-record.ts';
import type { Value } from '../../../src/format/model/value.ts';
import {
  createAsyncTraceEvaluator,
  createTraceEvaluator,
  type TraceOptions,
} from '../../../src/judgement/evaluate/trace-evaluator.ts';
import { documentWith, message } from '../../support/records.ts';

// How indicators are run over a trace: who is asked about which message, and for how long.

const execution = { mode: 'mcp_server', state: { tools: [] } };
const contains = (text: string, more: object = {}) => ({ target: 'x', pattern: { contains: text }, ...more });

interface Run {
  readonly options?: Partial<TraceOptions<SemanticEvaluator>>;
  readonly views?: readonly BindingViews[];
  readonly checks?: readonly object[];
}

function evaluated(indicators: readonly object[], records: readonly TraceRecord[], run: Run = {}) {
  const document = documentWith({ execution, indicators: [...indicators, ...(run.checks ?? [])] });
  const all = document.attack.indicators ?? [];
  const attack = { ...document.attack, indicators: all.slice(0, indicators.length) };
  const evaluator = createTraceEvaluator(
    { document: { ...document, attack }, checks: all.slice(indicators.length) },
    run.views ?? [],
    { cel: null, ...run.options },
  );
  for (const record of records) evaluator.add(record);
  return evaluator.finish();
}

function results(...given: Parameters<typeof evaluated>): readonly string[] {
  const { verdict, checks } = evaluated(...given);
  return [...verdict.indicatorVerdicts, ...checks].map(({ result, error }) => error?.kind ?? result);
}

const said = (x: Value, more: object = {}) => message({ content: { x }, ...more });
const ours = (x: Value) => said(x, { origin: 'attacker', kind: 'response' });

describe('createTraceEvaluator', () => {
  test.each<
    [
      title: string,
      indicators: readonly object[],
      records: readonly TraceRecord[],
      expected: readonly string[],
      run?: Run,
    ]
  >([
    ['a match in a message of the agent', [contains('evil')], [said('evil')], ['matched']],
    [
      'no message in a record that is not one',
      [contains('evil')],
      [{ ...said('evil'), kind: 'log' } as never],
      ['skipped'],
    ],
    [
      'matches of indicators and of checks apart',
      [contains('evil')],
      [said('good')],
      ['not_matched', 'matched'],
      { checks: [contains('good')] },
    ],
    [
      'a match in an operation under its name in another era',
      [{ ...contains('evil'), protocol: 'a2a', surface: 'SendMessage' }],
      [said('evil', { protocol: 'a2a', mode: 'a2a_server', method: 'message/send' })],
      ['matched'],
    ],
    [
      'a match in the operation of the indicator',
      [contains('evil', { surface: 'tools/call' })],
      [said('evil')],
      ['matched'],
    ],
    ['no match in another operation', [contains('evil', { surface: 'tools/list' })], [said('evil')], ['not_matched']],
    [
      'a match in a view of the message',
      [{ target: 'body.x', pattern: { contains: 'evil' } }],
      [said('evil')],
      ['matched'],
    ],
    [
      'no match in a view if projections are off',
      [{ target: 'body.x', pattern: { contains: 'evil' } }],
      [said('evil')],
      ['not_matched'],
      { options: { projections: false } },
    ],
  ])('reports %s', (_, indicators, records, expected, run) => {
    expect(results(indicators, records, run)).toEqual(expected);
  });

  test('describes what it looked at only for a miss', () => {
    const { verdict } = evaluated([contains('evil'), contains('good')], [said('good')]);
    expect(verdict.indicatorVerdicts.map(({ looked }) => looked?.sentence)).toEqual([
      'expected x to contain "evil", got "good" in the only message of mcp',
      undefined,
    ]);
  });

  test('names only the methods that the agent sent', () => {
    const { verdict } = evaluated(
      [contains('evil', { surface: 'prompts/get' })],
      [ours('a'), said('b', { method: 'c' })],
    );
    expect(verdict.indicatorVerdicts[0]?.looked?.sentence).toBe(
      'expected x to contain "evil", but no message of prompts/get came; the agent sent c',
    );
  });
});

describe('createTraceEvaluator, with a semantic evaluator', () => {
  const asked = (records: readonly TraceRecord[], more: object, views?: readonly BindingViews[]): readonly string[] => {
    const texts: string[] = [];
    const evaluate = (text: string) => {
      texts.push(text);
      return text.includes('evil') ? 1 : 0;
    };
    const indicator = { target: 'x', semantic: { intent: 'i' }, ...more };
    evaluated([indicator], records, { options: { semantic: { evaluate } }, ...(views && { views }) });
    return texts;
  };
  test.each<[title: string, records: readonly TraceRecord[], more: object, expected: readonly string[]]>([
    ['about every message', [said('a'), said('b')], {}, ['a', 'b']],
    ['until one matches', [said('a'), said('evil'), said('b')], {}, ['a', 'evil']],
    ['about our own messages until one matches', [ours('evil'), ours('evil 2')], { direction: 'response' }, ['evil']],
    ['about views until one matches', [said('evil'), said('evil 2')], { target: 'body.x' }, ['evil']],
    [
      'about views of our own messages until one matches',
      [ours('evil'), ours('evil 2')],
      { target: 'body.x', direction: 'response' },
      ['evil'],
    ],
  ])('asks it %s', (_, records, more, expected) => {
    expect(asked(records, more)).toEqual(expected);
  });
});

test('createAsyncTraceEvaluator judges a text that only the end of the trace completes', async () => {
  const spoken = documentWith({
    execution: { mode: 'ag_ui_client', state: { run_agent_input: { messages: [] } } },
    indicators: [{ target: 'response.content', semantic: { intent: 'i' } }],
  });
  const evaluate = async (text: string) => (text === 'half and half' ? 1 : 0);
  const evaluator = createAsyncTraceEvaluator({ document: spoken }, includedViews, {
    cel: null,
    semantic: { evaluate },
  });
  const user = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client', kind: 'event' } as const;
  for (const delta of ['half ', 'and half'])
    await evaluator.add(message({ ...user, method: 'text_message_content', content: { messageId: 'm', delta } }));
  expect((await evaluator.finish()).verdict.result).toBe('exploited');
});

describe('createTraceEvaluator, with a search behind disguises', () => {
  const decoding = contains('evil', { 'x-decode': true });
  const match = { path: 'x', from: 0, to: 4 };
  const calls: unknown[] = [];
  const seeing = (found: unknown) => ({
    options: {
      findDisguised: () => (value: Value, source: string) => {
        calls.push([value, source]);
        return found as undefined;
      },
    },
  });
  test.each<[title: string, records: readonly TraceRecord[], found: unknown, expected: string, asked: number]>([
    ['the search finds nothing', [said('live')], undefined, 'not_matched', 1],
    ['the search finds something', [said('live')], { evidence: 'evil (reversed)', match }, 'matched', 1],
    ['the search fails', [said('live')], createEvaluationError('regex_timeout', 'slow'), 'regex_timeout', 1],
    ['the plain text matches', [said('evil')], undefined, 'matched', 0],
  ])('gives $3 and searches $4 times when %s', (_, records, found, expected, asked) => {
    calls.length = 0;
    expect([results([decoding], records, seeing(found)), calls.length]).toEqual([[expected], asked]);
  });

  test('searches only messages of the agent, for each actor apart', () => {
    calls.length = 0;
    results([contains('evil', { 'x-decode': true, direction: 'response' })], [ours('live')], seeing(undefined));
    results([decoding], [said('live', { actor: 'a' })], seeing(undefined));
    expect(calls).toEqual([[{ x: 'live' }, 'a']]);
  });

  test('searches a view apart from its message', () => {
    calls.length = 0;
    const ofBody = { target: 'body.x', pattern: { contains: 'evil' }, 'x-decode': true };
    results([ofBody], [said('live', { actor: 'a' })], seeing(undefined));
    expect(calls.map((call) => (call as unknown[])[1])).toEqual(['a', 'a body']);
  });

  test('names the disguise in the evidence', () => {
    const found = { evidence: 'evil (reversed)', match };
    const { verdict } = evaluated([decoding], [said('live', { seq: 3 })], seeing(found));
    expect(verdict.indicatorVerdicts[0]).toMatchObject({
      evidence: found.evidence,
      match: { ...match, record: 3 },
    });
  });
});

describe('createTraceEvaluator, with a limit for the steps of the document', () => {
  /** Each evaluation takes so many steps. */
  function timed(takes: number, documentSteps: number, texts: readonly string[]) {
    const asked: string[] = [];
    const evaluate = (cel: string, { message: of }: { readonly [name: string]: Value }) => {
      addWork(takes);
      asked.push(`${cel} ${(of as { x: string }).x}`);
      return false;
    };
    const indicators = ['i', 'j'].map((cel) => ({ target: 'x', expression: { cel } }));
    const records = texts.map((text) => said(text));
    const kinds = results(indicators, records, { options: { cel: { evaluate }, limits: { documentSteps } } });
    return { asked, kinds };
  }
  const missed = ['not_matched', 'not_matched'];
  const late = ['cel_error', 'cel_error'];
  test.each<
    [
      title: string,
      takes: number,
      documentSteps: number,
      texts: readonly string[],
      asked: readonly string[],
      kinds: readonly string[],
    ]
  >([
    ['are enough for all messages', 10, 40, ['a', 'b'], ['i a', 'j a', 'i b', 'j b'], missed],
    ['are over after the last message', 10, 39, ['a', 'b'], ['i a', 'j a', 'i b', 'j b'], late],
    ['are over before the second message', 10, 19, ['a', 'b'], ['i a', 'j a'], late],
    ['are just not over before the second message', 10, 20, ['a', 'b'], ['i a', 'j a', 'i b'], late],
    ['are over within a message', 10, 9, ['a', 'b'], ['i a'], late],
    ['are just not over within a message', 10, 10, ['a'], ['i a', 'j a'], late],
    ['are not over when nothing takes any', 0, 0.5, ['a'], ['i a', 'j a'], missed],
  ])('keeps to the limit when the steps %s', (_, takes, documentSteps, texts, asked, kinds) => {
    expect(timed(takes, documentSteps, texts)).toEqual({ asked, kinds });
  });
});
