import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { format } from '../src/document/format.ts';
import { diagnose, encode, load, normalize, parse, serialize, validate } from '../src/index.ts';
import type { Document } from '../src/model/document.ts';
import { anyText, documentText, mutatedText, writtenDocument } from './support/document-arbitrary.ts';

const { OATF_PROPERTY_RUNS = 100, OATF_PROPERTY_SEED = Date.now() } = process.env;
const runs = {
  numRuns: Number(OATF_PROPERTY_RUNS),
  // The same for all properties, so that each document is written once.
  seed: Number(OATF_PROPERTY_SEED),
  // Documents are large, so shrinking one that fails is cut off in time to report it.
  interruptAfterTimeLimit: 20_000,
};

function parsedAnew(text: string): Document {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(`does not parse: ${JSON.stringify(parsed.errors)}\n${text}`);
  return parsed.document;
}

const known = new Map<string, Document>();

/** The document of a text, parsed once for all properties: it throws on any attempt to change it. */
function documentOf(text: string): Document {
  const document = known.get(text) ?? frozen(parsedAnew(text));
  known.set(text, document);
  return document;
}

function frozen<T>(model: T): T {
  if (typeof model === 'object' && model !== null) {
    Object.values(model).forEach(frozen);
    Object.freeze(model);
  }
  return model;
}

describe('documents', () => {
  test('a document as generated parses, whatever its style', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        expect(parse(text)).toMatchObject({ ok: true });
      }),
      runs,
    );
  });

  test('encode gives back what was decoded', () => {
    fc.assert(
      fc.property(writtenDocument, ({ document, text }) => {
        expect(isDeepStrictEqual(encode('Document', documentOf(text)), document)).toBe(true);
      }),
      runs,
    );
  });

  test('validate never throws on what parse accepts', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const { errors, warnings } = validate(documentOf(text));
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
        const once = normalize(documentOf(text));
        expect(isDeepStrictEqual(normalize(once), once)).toBe(true);
      }),
      runs,
    );
  });

  test('does not touch its input', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        normalize(documentOf(text));
        expect(serialize(documentOf(text))).toBe(serialize(parsedAnew(text)));
      }),
      runs,
    );
  });

  test('parse → normalize → serialize → parse → normalize is stable', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const first = normalize(documentOf(text));
        const second = normalize(documentOf(serialize(first)));
        expect(isDeepStrictEqual(second, first)).toBe(true);
        expect(serialize(second)).toBe(serialize(first));
      }),
      runs,
    );
  });
});

describe('fmt', () => {
  test('never changes the model, and does nothing the second time', () => {
    fc.assert(
      fc.property(documentText, (text) => {
        const once = format(text);
        if (!once.ok) throw new Error(JSON.stringify(once.errors));
        expect(isDeepStrictEqual(documentOf(once.text), documentOf(text))).toBe(true);
        expect(format(once.text)).toEqual(once);
      }),
      runs,
    );
  });

  test('never changes the model of what happens to parse', () => {
    fc.assert(
      fc.property(mutatedText, (text) => {
        const parsed = parse(text);
        const formatted = format(text);
        const kept = formatted.ok && parsed.ok && isDeepStrictEqual(parse(formatted.text), parsed);
        expect(kept || !parsed.ok).toBe(true);
      }),
      runs,
    );
  });
});

describe.each([
  ['any text', anyText],
  ['broken documents', mutatedText],
])('%s', (_, texts) => {
  test('parse never throws, and gives the place of its errors', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parse(text);
        const lines = text.split('\n').length;
        const placed = parsed.ok || parsed.errors.every(({ line = 0 }) => line >= 1 && line <= lines);
        expect(placed && (parsed.ok || parsed.errors.length > 0)).toBe(true);
      }),
      runs,
    );
  });

  test('diagnose never throws, and every range lies within the text, in order', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const offsets = diagnose(text).map(({ range }) => [range.start.offset, range.end.offset] as const);
        for (const [start, end] of offsets) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
        const starts = offsets.map(([start]) => start);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
      runs,
    );
  });

  test('diagnose has errors exactly when load fails', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const errors = diagnose(text).filter(({ severity }) => severity === 'error');
        expect(errors.length > 0).toBe(!load(text).ok);
      }),
      runs,
    );
  });
});

test('diagnose and load agree on documents that parse', () => {
  fc.assert(
    fc.property(documentText, (text) => {
      const errors = diagnose(text).filter(({ severity }) => severity === 'error');
      expect(errors.length > 0).toBe(!load(text).ok);
    }),
    runs,
  );
});
