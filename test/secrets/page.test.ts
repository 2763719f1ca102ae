import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ValueMap } from '../../src/format/model/value.ts';
import { buildIndex, createCatalogue } from '../../src/report/html/build-index.ts';
import { computeKeepLimits } from '../../src/report/html/kept-lines.ts';
import type { MessagesPart } from '../../src/report/html/page-data.ts';
import { readRunPart } from '../../src/report/html/run-part.ts';
import { selectRedactor } from '../../src/secrets/redactor.ts';
import { makeResults } from '../web/made-results.ts';
import { fieldsIn, key, planted, written } from './texts-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'oatf-page-'));
beforeAll(() => makeResults(folder, { runs: 6, messages: 6, baseline: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Everything that a page consists of. */
function pageOf(results: ValueMap, showSecrets = false): string {
  const redactor = selectRedactor(showSecrets);
  const built = buildIndex(results, redactor, createCatalogue(folder, redactor));
  const messages: MessagesPart[] = [];
  const parts = built.runs.map((run) =>
    readRunPart(run, {
      folder,
      redactor,
      limits: computeKeepLimits(1_000_000),
      messages: (part) => messages.push(part),
    }),
  );
  return JSON.stringify([built.index, built.documents, parts, messages]);
}

const stored = (): ValueMap => JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));

test('a report page shows no secret in a field of the results that quotes others', () => {
  const results = stored();
  const out = [...fieldsIn(results)]
    .filter(([, path]) => pageOf(planted(results, path)).includes(key))
    .map(([field]) => field);
  expect(out.filter((field) => !written.has(field))).toEqual([]);
});

test.each([
  ['a secret in a text', { content: { arguments: { note: key } } }, key],
  ['a secret in a key', { content: { arguments: { [key]: 1 } } }, key],
  ['a value under the key password', { content: { password: 'correct horse' } }, 'correct horse'],
  ['credentials under the key authorization', { content: { authorization: 'Basic dXNlcjpwYXNz' } }, 'dXNlcjpwYXNz'],
  ['a secret in the id of a request', { id: key }, key],
  ['a secret as method', { method: `x/${key}` }, key],
])('a report page does not show, among its messages, %s', (_where, said, secret) => {
  const results = stored();
  const [run] = results.runs as readonly ValueMap[];
  const record = {
    seq: 1,
    timestamp: '',
    actor: 'shop',
    kind: 'request',
    origin: 'agent',
    method: 'm',
    content: 1,
  };
  writeFileSync(join(folder, String(run?.trace)), `${JSON.stringify({ ...record, ...said })}\n`);
  expect(pageOf({ ...results, runs: [run ?? {}] })).not.toContain(secret);
  expect(pageOf({ ...results, runs: [run ?? {}] }, true)).toContain(secret);
});
