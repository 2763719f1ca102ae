import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readTestFile } from '../../../src/cli/test/test-file.ts';
import { encode } from '../../../src/format/document/encode-document.ts';
import { load } from '../../../src/format/load.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';
import type { MatchPredicate } from '../../../src/format/model/attack-document.ts';
import type { Value, ValueMap } from '../../../src/format/model/value.ts';
import { evaluateExtractor } from '../../../src/format/primitives/evaluate-extractor.ts';
import { evaluatePredicate } from '../../../src/format/primitives/evaluate-predicate.ts';
import { interpolateValue } from '../../../src/format/primitives/interpolate-template.ts';
import { createCelEvaluator } from '../../../src/judgement/evaluate/cel-evaluator.ts';
import { evaluateIndicator } from '../../../src/judgement/evaluate/indicator.ts';
import { findConfigProblems } from '../../../src/suite/config/config-shape.ts';
import { readBaseline } from '../../../src/suite/statistics/baseline.ts';
import { completed, parts } from './completed.ts';
import { type Fence, fencesOf, isDocument, pages } from './fences.ts';

const perPage = pages.map((page) => fencesOf(page));
const fences = perPage.flat();
const titled = (list: readonly Fence[]) => list.map((fence) => [`${fence.page}:${fence.line}`, fence] as const);
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
  // Documents of docs/codes, which test/cli/explain/explanations.test.ts checks.
  'wrong',
  'right',
  'before',
  'after',
];

test('every YAML block of the docs is a whole document or names what it is a part of', () => {
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

describe('documents in the docs, and parts of them', () => {
  const meant = fences.filter((fence) => isDocument(fence) || parts[fence.kind] !== undefined);
  test.each(titled(meant.filter(({ language }) => language === 'yaml')))(
    'load without errors and unexpected warnings: %s',
    (_name, fence) => {
      const loaded = loadMarked(completed(fence));
      expect(loaded.ok ? [] : loaded.errors).toEqual([]);
      // O-009 warns of our own state keys, and a fragment may name or need parts that only the whole document has.
      const usual = isDocument(fence) ? ['O-009'] : ['O-009', 'O-018', 'W-004', 'W-007'];
      const odd = loaded.ok ? loaded.warnings.filter(({ code }) => !usual.includes(code)) : [];
      expect(odd).toEqual([]);
    },
  );
});

describe('normalized documents in the docs', () => {
  test.each(ofKind('normalized'))('are what the short form above them normalizes to: %s', (_name, fence) => {
    const loaded = load(above(fence, isDocument).text);
    expect(loaded.ok && encode('Document', loaded.document)).toEqual(parse(fence.text));
  });
});

describe('predicates in the docs', () => {
  test.each(ofKind('holds', 'fails'))('hold or fail for the message as the page says: %s', (_name, fence) => {
    const predicate = parse(above(fence, isKind('predicate')).text) as MatchPredicate;
    expect(evaluatePredicate(predicate, JSON.parse(fence.text))).toBe(fence.kind === 'holds');
  });
});

describe('indicators in the docs', () => {
  const cel = createCelEvaluator();
  test.each(ofKind('matched', 'not_matched', 'error'))(
    'have the result that the page states for the message: %s',
    (_name, fence) => {
      const loaded = load(completed(above(fence, isKind('indicators'))));
      const indicators = loaded.ok ? (loaded.document.attack.indicators ?? []) : [];
      const results = indicators.map((each) => evaluateIndicator(each, JSON.parse(fence.text), { cel }).result);
      expect(results).toEqual([fence.kind]);
    },
  );
});

describe('extractors in the docs', () => {
  test.each(ofKind('extracted'))('extract the values that the page states: %s', (_name, fence) => {
    const message = above(fence, ({ kind }) => kind === 'request' || kind === 'response');
    const loaded = load(completed(above(fence, isKind('extractors'))));
    const extractors = loaded.ok ? (loaded.document.attack.execution.actors[0]?.phases[0]?.extractors ?? []) : [];
    const direction = message.kind === 'request' ? 'request' : 'response';
    const taken = extractors.flatMap((extractor) => {
      const value = evaluateExtractor(extractor, JSON.parse(message.text), direction);
      return value === undefined ? [] : [[extractor.name, value]];
    });
    expect(Object.fromEntries(taken)).toEqual(parse(fence.text));
  });
});

describe('templates in the docs', () => {
  test.each(ofKind('filled'))('become the text that the page states: %s', (_name, fence) => {
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

describe('configurations in the docs', () => {
  test.each(ofKind('config'))('are valid: %s', (_name, fence) => {
    expect(findConfigProblems(parse(fence.text))).toEqual([]);
  });
});

describe('baselines in the docs', () => {
  test.each(ofKind('baseline'))('are valid: %s', (_name, fence) => {
    expect(readBaseline(fence.text)).toMatchObject({ ok: true });
  });
});

describe('test files in the docs', () => {
  test.each(ofKind('test-file'))('are valid: %s', (_name, fence) => {
    const read = readTestFile(fence.text);
    expect(read.ok ? [] : read.problems).toEqual([]);
  });
});

describe('YAML of other tools in the docs', () => {
  test.each(ofKind('other'))('parses as a mapping or list: %s', (_name, fence) => {
    expect(parse(fence.text)).toBeInstanceOf(Object);
  });
});
