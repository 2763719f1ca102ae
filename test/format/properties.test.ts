import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDocument } from '../../src/format/document/format.ts';
import type { Document } from '../../src/format/model/attack-document.ts';
import { diagnose, encode, load, normalize, parse, serialize, validate } from '../../src/index.ts';
import { anyText, documentText, mutatedText, writtenDocument } from '../support/document-arbitrary.ts';

const { OATF_PROPERTY_RUNS = 100, OATF_PROPERTY_SEED = Date.now() } = process.env;
const runs = {
  numRuns: Number(OATF_PROPERTY_RUNS),
  // The same for all properties, so that each document is written once.
  seed: Number(OATF_PROPERTY_SEED),
  // Documents are large, so shrinking one that fails is cut off in time to report it.
  interruptAfterTimeLimit: 20_000,
};

/** Calls a function once for each text, for all properties. What it returned throws on any attempt to change it. */
function once<T>(called: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const returned = known.has(text) ? (known.get(text) as T) : frozen(called(text));
    known.set(text, returned);
    return returned;
  };
}

const parsed = once(parse);
const diagnosed = once(diagnose);

function documentIn(text: string, result = parsed(text)): Document {
  if (!result.ok) throw new Error(`does not parse: ${JSON.stringify(result.errors)}\n${text}`);
  return result.document;
}

function frozen<T>(model: T): T {
  if (typeof model === 'object' && model !== null) {
    Object.values(model).forEach(frozen);
    Object.freeze(model);
  }
  return model;
}

describe('any generated document', () => {
  test('parses, whatever its style', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        expect(parsed(text).ok).toBe(true);
      }),
      runs,
    );
  });

  test('is given back by encode as it was decoded', () => {
    fc.assert(
      fc.property(writtenDocument, ({ document, text }) => {
        expect(isDeepStrictEqual(encode('Document', documentIn(text)), document)).toBe(true);
      }),
      runs,
    );
  });

  test('can be validated without an exception', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const { errors, warnings } = validate(documentIn(text));
        expect([...errors, ...warnings].every(({ path }) => typeof path === 'string')).toBe(true);
      }),
      runs,
    );
  });
});

describe('normalize', () => {
  test('is idempotent', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const first = normalize(documentIn(text));
        expect(isDeepStrictEqual(normalize(first), first)).toBe(true);
      }),
      runs,
    );
  });

  test('does not change its input', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        normalize(documentIn(text));
        expect(serialize(documentIn(text))).toBe(serialize(documentIn(text, parse(text))));
      }),
      runs,
    );
  });

  test('gives the same after serialize and parse', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const first = normalize(documentIn(text));
        const second = normalize(documentIn(serialize(first)));
        expect(isDeepStrictEqual(second, first)).toBe(true);
        expect(serialize(second)).toBe(serialize(first));
      }),
      runs,
    );
  });
});

describe('format', () => {
  test('never changes the model, and does nothing the second time', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const first = formatDocument(text);
        if (!first.ok) throw new Error(JSON.stringify(first.errors));
        expect(isDeepStrictEqual(documentIn(first.text), documentIn(text))).toBe(true);
        expect(formatDocument(first.text)).toEqual(first);
      }),
      runs,
    );
  });

  test('never changes the model of a mutated text that happens to parse', () => {
    fc.assert(
      fc.property(mutatedText, (text) => {
        const before = parsed(text);
        const formatted = formatDocument(text);
        const kept = formatted.ok && before.ok && isDeepStrictEqual(parsed(formatted.text), before);
        expect(kept || !before.ok).toBe(true);
      }),
      runs,
    );
  });
});

describe.each([
  ['any text', anyText],
  ['any broken document', mutatedText],
])('%s', (_, texts) => {
  test('makes parse give the place of its errors, and never throw', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const result = parsed(text);
        const lines = text.split('\n').length;
        const placed = result.ok || result.errors.every(({ line = 0 }) => line >= 1 && line <= lines);
        expect(placed && (result.ok || result.errors.length > 0)).toBe(true);
      }),
      runs,
    );
  });

  test('makes diagnose give ranges in order and within the text, and never throw', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const offsets = diagnosed(text).map(({ range }) => [range.start.offset, range.end.offset] as const);
        expect(offsets.filter(([start, end]) => !(0 <= start && start <= end && end <= text.length))).toEqual([]);
        const starts = offsets.map(([start]) => start);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
      runs,
    );
  });

  test('makes diagnose report an error exactly if load fails', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const errors = diagnosed(text).filter(({ severity }) => severity === 'error');
        expect(errors.length > 0).toBe(!load(text).ok);
      }),
      runs,
    );
  });
});

test('diagnose reports an error of a generated document exactly if load fails', () => {
  fc.assert(
    fc.property(documentText, (text) => {
      const errors = diagnosed(text).filter(({ severity }) => severity === 'error');
      expect(errors.length > 0).toBe(!load(text).ok);
    }),
    runs,
  );
});
