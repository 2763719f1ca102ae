import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import { load } from '../../../src/format/load.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { evaluateTrace, interpolateTemplate, interpolateValue, type Value, type ValueMap } from '../../../src/index.ts';
import { playDocument } from '../../../src/suite/play/play-run.ts';
import { mcpServerMode } from '../../../src/suite/play/playable-modes.ts';
import { readTrace } from '../../support/read-trace.ts';
import { expectSame } from '../../support/same-again.ts';
import { playVirtually } from '../../support/virtual-run.ts';

const mebi = 1024 * 1024;

describe('the limit of templates (O-108)', () => {
  test('leaves references empty when there is no more room and names them', () => {
    const v = 'x'.repeat(mebi);
    const { text, diagnostics, unresolved } = interpolateTemplate('{{v}}'.repeat(6), { v });
    expect(text).toHaveLength(4 * mebi);
    expect(diagnostics.map(({ code }) => code)).toEqual(['O-108']);
    expect(unresolved).toEqual(['v', 'v']);
  });

  test('is shared by all texts of a value', () => {
    const texts = Array.from({ length: 6 }, () => '{{v}}');
    const { value, diagnostics } = interpolateValue(texts, { v: 'x'.repeat(mebi) });
    expect((value as string[]).map((text) => text.length)).toEqual([mebi, mebi, mebi, mebi, 0, 0]);
    expect(diagnostics).toHaveLength(1);
  });

  test('is cheap to exceed with many references to a large message', () => {
    const template = '{{request.a}}'.repeat(100_000);
    const { text } = interpolateTemplate(template, {}, { a: Array(mebi).fill('xxxxxxxx') });
    expect(text).toBe('');
  });

  test('does not count the text of the document itself', () => {
    const { diagnostics } = interpolateTemplate(`${'x'.repeat(5 * mebi)}{{v}}`, { v: 'y' });
    expect(diagnostics).toEqual([]);
  });
});

const indicators = [{ target: 'name', pattern: { contains: 'nothing of the kind' } }];
const taken = { name: 'v', source: 'response', type: 'json_path', selector: '$.content[0].text' };

function loaded(phases: readonly Value[]): NormalizedDocument {
  const document = { oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases }, indicators } };
  const result = load(JSON.stringify(document));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.document;
}

/** Sends a text, extracts it from the answer, and sends it four times in the next phase. */
const growing = (count: number, seed: string): readonly ValueMap[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `p${index}`,
    state: {
      tools: [
        {
          name: 'say',
          responses: [{ content: [{ type: 'text', text: index === 0 ? seed : '{{v}}{{v}}{{v}}{{v}}' }] }],
        },
      ],
    },
    extractors: [taken],
    ...(index < count - 1 && { trigger: { event: 'tools/call' } }),
  }));

describe('a run whose values grow fourfold with every phase', () => {
  test('goes on to its end with O-108 and is inconclusive', async () => {
    const document = loaded(growing(45, 'four times as long'));
    const virtual = await playVirtually(document);
    for (let phase = 0; phase < 45; phase++) virtual.peer().request('tools/call', { name: 'say' });
    const { diagnostics } = await virtual.end();
    expect(diagnostics.map(({ code }) => code)).toContain('O-108');
    expect(evaluateTrace(document, virtual.records)).toMatchObject({
      outcome: 'inconclusive',
      causes: expect.arrayContaining([expect.objectContaining({ cause: 'unjudged' })]),
    });
  });
});

test('extractors of a run refuse values over its limit with O-108', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `v${index}`);
  const document = loaded([
    {
      state: { tools: [{ name: 'say', responses: [{ content: [{ type: 'text', text: 'ok' }] }] }] },
      extractors: names.map((name) => ({
        name,
        source: 'request',
        type: 'json_path',
        selector: '$.arguments.text',
      })),
    },
  ]);
  const virtual = await playVirtually(document);
  virtual.peer().request('tools/call', { name: 'say', arguments: { text: 'x'.repeat(mebi) } });
  const { diagnostics } = await virtual.end();
  const refused = names.slice(16).map((name) => expect.stringContaining(`"${name}"`));
  expect(diagnostics.filter(({ code }) => code === 'O-108').map(({ message }) => message)).toEqual(refused);
});

describe('a trace over its limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-oversize-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('ends with a flood record and an outcome of cut_off', async () => {
    const document = loaded([{ state: { tools: [{ name: 'say' }] } }]);
    const traceFile = join(folder, 'trace.jsonl');
    const traceBytes = 200_000;
    const played = await playDocument(document, {
      modes: [mcpServerMode()],
      clock: systemClock,
      traceFile,
      limits: { traceBytes },
      async ready(endpoints) {
        const url = endpoints.get('default')?.url ?? '';
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'say', arguments: { text: 'x'.repeat(10_000) } },
        });
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        // Until nobody listens any more.
        for (;;) {
          const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
          if (response === undefined) return;
          await response.text().catch(() => '');
        }
      },
    });
    expect(played.end.reason).toBe('flood');
    expect(played).toMatchObject({ outcome: 'inconclusive', cause: 'cut_off' });
    expect(statSync(traceFile).size).toBeLessThan(traceBytes + 40_000);
    expect(readFileSync(traceFile, 'utf8').trimEnd().split('\n').at(-1)).toContain('"flood"');
    expectSame(evaluateTrace(document, readTrace(traceFile, document)), played);
  });
});
