import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readTestFile } from '../../src/cli/test/test-file.ts';
import { problemsOf } from '../../src/config/config-shape.ts';
import { encode } from '../../src/document/encode.ts';
import { createCelEvaluator } from '../../src/evaluate/cel-evaluator.ts';
import { evaluateIndicator } from '../../src/evaluate/indicator.ts';
import { load } from '../../src/load.ts';
import { loadMarked } from '../../src/load-marked.ts';
import type { MatchPredicate } from '../../src/model/document.ts';
import type { Value, ValueMap } from '../../src/model/value.ts';
import { evaluateExtractor } from '../../src/primitives/evaluate-extractor.ts';
import { evaluatePredicate } from '../../src/primitives/evaluate-predicate.ts';
import { interpolateValue } from '../../src/primitives/interpolate-value.ts';
import { readBaseline } from '../../src/suite/baseline.ts';
import { completed, parts } from './completed.ts';
import { type Fence, fencesOf, isDocument, pages } from './fences.ts';

const perPage = pages.map((page) => fencesOf(page));
const fences = perPage.flat();
const titled = (list: readonly Fence[]) =>
  list.map((fence) => [`${fence.page}:${fence.line}`, fence] as const);
const ofKind = (...kinds: readonly string[]) => titled(fences.filter(({ kind }) => kinds.includes(kind)));

/** The nearest block of a kind above a fence on the same page. */
function above(fence: Fence, isMeant: (each: Fence) => boolean): Fence {
  const found = fencesOf(fence.page).findLast((each) => each.line < fence.line && isMeant(each));
  if (found === undefined) throw new Error('there is nothing above it that it could belong to');
  return found;
}

const isKind =
  (kind: string) =>
  (fence: Fence): boolean =>
    fence.kind === kind;

/** Blocks that are not part of a document; each kind has its own test below. */
const others = [
  'config',
  'baseline',
  'test',
  'test-file',
  'other',
  'normalized',
  'values',
  'filled',
  'extracted',
];

test('every YAML block is a whole document, or says what it is a part of', () => {
  const unknown = fences.filter(
    (fence) =>
      fence.language === 'yaml' &&
      !isDocument(fence) &&
      parts[fence.kind] === undefined &&
      !others.includes(fence.kind),
  );
  expect(fences.length).toBeGreaterThan(100);
  expect(unknown.map(({ page, line, kind }) => `${page}:${line} ${kind}`)).toEqual([]);
});

describe('a document of a page, or a part of one, is valid', () => {
  const meant = fences.filter((fence) => isDocument(fence) || parts[fence.kind] !== undefined);
  test.each(titled(meant.filter(({ language }) => language === 'yaml')))('%s', (_name, fence) => {
    const loaded = loadMarked(completed(fence));
    expect(loaded.ok ? [] : loaded.errors).toEqual([]);
    // O-009 warns of our own state keys, and a fragment may name parts that only the whole document has.
    const usual = isDocument(fence) ? ['O-009'] : ['O-009', 'W-004', 'W-007'];
    const odd = loaded.ok ? loaded.warnings.filter(({ code }) => !usual.includes(code)) : [];
    expect(odd).toEqual([]);
  });
});

describe('what a shorter form means', () => {
  test.each(ofKind('normalized'))('%s', (_name, fence) => {
    const loaded = load(above(fence, isDocument).text);
    expect(loaded.ok && encode('Document', loaded.document)).toEqual(parse(fence.text));
  });
});

describe('a predicate', () => {
  test.each(ofKind('holds', 'fails'))('%s', (_name, fence) => {
    const predicate = parse(above(fence, isKind('predicate')).text) as MatchPredicate;
    expect(evaluatePredicate(predicate, JSON.parse(fence.text))).toBe(fence.kind === 'holds');
  });
});

describe('an indicator on a message', () => {
  const cel = createCelEvaluator();
  test.each(ofKind('matched', 'not_matched', 'error'))('%s', (_name, fence) => {
    const loaded = load(completed(above(fence, isKind('indicators'))));
    const indicators = loaded.ok ? (loaded.document.attack.indicators ?? []) : [];
    const results = indicators.map((each) => evaluateIndicator(each, JSON.parse(fence.text), { cel }).result);
    expect(results).toEqual([fence.kind]);
  });
});

describe('what extractors take', () => {
  test.each(ofKind('extracted'))('%s', (_name, fence) => {
    const message = above(fence, ({ kind }) => kind === 'request' || kind === 'response');
    const loaded = load(completed(above(fence, isKind('extractors'))));
    const extractors = loaded.ok
      ? (loaded.document.attack.execution.actors[0]?.phases[0]?.extractors ?? [])
      : [];
    const direction = message.kind === 'request' ? 'request' : 'response';
    const taken = extractors.flatMap((extractor) => {
      const value = evaluateExtractor(extractor, JSON.parse(message.text), direction);
      return value === undefined ? [] : [[extractor.name, value]];
    });
    expect(Object.fromEntries(taken)).toEqual(parse(fence.text));
  });
});

describe('a template that is filled in', () => {
  test.each(ofKind('filled'))('%s', (_name, fence) => {
    const template = parse(above(fence, isKind('template')).text) as Value;
    const {
      extractors = {},
      request,
      response,
    } = parse(above(fence, isKind('values')).text) as {
      extractors?: ValueMap;
      request?: Value;
      response?: Value;
    };
    expect(interpolateValue(template, extractors, request, response).value).toEqual(parse(fence.text));
  });
});

describe('a configuration', () => {
  test.each(ofKind('config'))('%s', (_name, fence) => {
    expect(problemsOf(parse(fence.text))).toEqual([]);
  });
});

describe('a baseline', () => {
  test.each(ofKind('baseline'))('%s', (_name, fence) => {
    expect(readBaseline(fence.text)).toMatchObject({ ok: true });
  });
});

describe('a test file', () => {
  test.each(ofKind('test-file'))('%s', (_name, fence) => {
    const read = readTestFile(fence.text);
    expect(read.ok ? [] : read.problems).toEqual([]);
  });
});

describe('YAML of others', () => {
  test.each(ofKind('other'))('%s', (_name, fence) => {
    expect(parse(fence.text)).toBeInstanceOf(Object);
  });
});
