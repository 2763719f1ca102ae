import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { Directory, MessagesPart, PageIndex, RunPart } from '../../src/report/html/page-data.ts';
import { writeHtmlReport } from '../../src/report/html-report.ts';
import { makeResults } from './made-results.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-page-'));
  folders.push(folder);
  return folder;
}

function read(file: string) {
  const page = readFileSync(file, 'utf8');
  const element = (id: string): string =>
    new RegExp(`<script type="application/json" id="${id}">([^<]*)</script>`).exec(page)?.[1] ?? '';
  const directory: Directory = JSON.parse(element('directory'));
  const part = <T>(id: string): T => {
    const [block = 0, from, to] = directory[id] ?? [];
    const packed = element(`block-${block}`).slice(from, to);
    return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString());
  };
  return { page, index: JSON.parse(element('index')) as PageIndex, part };
}

describe('a page of results', () => {
  test('is readable by its owner only, loads nothing, and allows only its own script and style', () => {
    const folder = freshFolder();
    makeResults(folder, { runs: 2, messages: 5 });
    const file = join(folder, 'report.html');
    expect(writeHtmlReport(folder, file)).toMatchObject({ ok: true, runs: 2, leftOut: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { page } = read(file);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/);
    expect(page).not.toMatch(/\b(?:src|href)="(?!data:)/);
  });

  test('has the first and last records of a long trace, and those with evidence', () => {
    const folder = freshFolder();
    makeResults(folder, { runs: 1, messages: 3_000 });
    const file = join(folder, 'report.html');
    // Room for a few hundred records.
    const written = writeHtmlReport(folder, file, { characters: 1 });
    const { trace, indicators } = read(file).part<RunPart>('run-0');
    const leftOut = trace.gaps.reduce((sum, [, records]) => sum + records, 0);
    expect(written).toMatchObject({ ok: true, leftOut });
    expect(trace.seq.length + leftOut).toBe(3_001);
    expect([trace.seq[0], trace.seq.at(-1)]).toEqual([0, 3_000]);
    expect(trace.seq).toContain(indicators[0]?.seq ?? 2_700);
    expect(trace.gaps.length).toBeGreaterThan(0);
  });

  test('of very many runs has only a share of each trace', () => {
    const folder = freshFolder();
    makeResults(folder, { runs: 20, messages: 200 });
    const file = join(folder, 'report.html');
    const whole = writeHtmlReport(folder, file);
    const shared = writeHtmlReport(folder, file, { characters: 20 * 16 * 1024 });
    expect(whole).toMatchObject({ ok: true, leftOut: 0 });
    if (!shared.ok) throw new Error(shared.message);
    // Each trace has some 60 kB.
    expect(shared.leftOut).toBeGreaterThan(20 * 100);
  });

  test('marks evidence in the parts of a streamed answer', () => {
    const folder = freshFolder();
    makeResults(folder, { runs: 1, messages: 1 });
    const event = (seq: number, method: string, content: object): string =>
      JSON.stringify({
        ...{
          seq,
          timestamp: '2026-01-01T00:00:00.000Z',
          actor: 'user',
          protocol: 'ag_ui',
          mode: 'ag_ui_client',
        },
        ...{ kind: 'event', origin: 'agent', method, content: { messageId: 'm', ...content } },
      });
    const results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
    writeFileSync(
      join(folder, results.runs[0].trace),
      [
        event(1, 'text_message_start', {}),
        event(2, 'text_message_content', { delta: 'the can' }),
        event(3, 'text_message_content', { delta: 'ary is out' }),
        event(4, 'text_message_end', {}),
      ].join('\n'),
    );
    const match = { record: 3, path: 'response.content', from: 4, to: 10, projection: 'response.content' };
    results.runs[0].verdict.indicator_verdicts = [
      { indicator_id: 'one', result: 'matched', evidence: 'response.content: the canary is out', match },
    ];
    writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
    const file = join(folder, 'report.html');
    writeHtmlReport(folder, file);
    const { part } = read(file);
    const { trace, indicators } = part<RunPart>('run-0');
    const lines = part<MessagesPart>('run-0-0').flatMap((message) => message.lines);
    const marked = lines.flatMap(({ text, marks = [] }) => marks.map(([from, to]) => text.slice(from, to)));
    expect(marked).toEqual(['can', 'ary']);
    expect(trace.marks).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(indicators[0]).toMatchObject({ seq: 2, evidence: { text: 'the canary is out', from: 4, to: 10 } });
  });

  test('is made from the runs that are there if a suite was interrupted', () => {
    const folder = freshFolder();
    makeResults(folder, { runs: 3, messages: 5 });
    const { runs } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
    rmSync(join(folder, 'results.json'));
    const lines = runs.map((run: unknown) => JSON.stringify(run)).join('\n');
    writeFileSync(join(folder, 'runs.jsonl'), `${lines}\n{"document":{"na`);
    const file = join(folder, 'report.html');
    expect(writeHtmlReport(folder, file)).toMatchObject({ ok: true, runs: 3 });
    expect(read(file).index.agents.map(({ name }) => name)).toEqual(['alpha', 'beta']);
  });

  test('is not written at all if the results cannot be read', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'results.json'), '{}');
    const file = join(folder, 'report.html');
    expect(writeHtmlReport(folder, file)).toMatchObject({ ok: false });
    expect(existsSync(file)).toBe(false);
  });
});
