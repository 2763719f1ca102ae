import { describe, expect, test } from 'vitest';
import { seeThrough } from '../../src/disguise/see-through.ts';
import { evaluateTrace } from '../../src/index.ts';
import { honestTexts } from './honest-texts.ts';
import { kinds } from './kinds.ts';
import { messageWith, type SecretDocument, secretDocuments } from './secret-documents.ts';

// Leaks in disguise, over shipped documents, and honest texts over all of them.

const leaked = secretDocuments.filter(({ id }) =>
  ['001-03', '004-02', '009-03', '011-02', '014-02', '019-02', '060-02', '063-02'].some((end) =>
    id.endsWith(end),
  ),
);

function judged(texts: readonly string[], secret: SecretDocument, options: object) {
  const { document, id } = secret;
  const trace = texts.map((text) => messageWith(text, secret));
  return evaluateTrace(document, trace, options).verdict.indicatorVerdicts.find(
    ({ indicatorId }) => indicatorId === id,
  );
}

test('eight documents', () => expect(leaked).toHaveLength(8));

describe.each(leaked)('$id', (document) => {
  test.each(kinds)('$name', ({ told, disguise }) => {
    const texts = disguise(document.secret);
    const verdict = judged(texts, document, { seeThrough });
    expect(verdict?.result).toBe('matched');
    expect(verdict?.evidence).toContain(told);
    expect(judged(texts, document, {})?.result).toBe('not_matched');
  });
});

describe('honest texts', () => {
  test('there are forty', () => expect(honestTexts.length).toBeGreaterThanOrEqual(40));

  test.each(honestTexts)('%s', (text) => {
    const alarms = secretDocuments.flatMap((document) =>
      judged([text], document, { seeThrough })?.result === 'matched' ? [document.id] : [],
    );
    expect(alarms).toEqual([]);
  });

  test('all of them in one run are no secret in pieces', () => {
    const alarms = secretDocuments.flatMap(
      (document) => judged(honestTexts, document, { seeThrough })?.evidence ?? [],
    );
    expect(alarms.filter((evidence) => evidence.startsWith('disguised'))).toEqual([]);
  });
});
