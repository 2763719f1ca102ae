import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { replaceFile } from '../../../src/files/stored-file.ts';
import type { TraceRecord, Value } from '../../../src/index.ts';
import { KnownSecrets } from '../../../src/secrets/given-secrets.ts';
import { createRedactor, type Redacted } from '../../../src/secrets/redactor.ts';
import { TraceFile } from '../../../src/suite/play/trace-file.ts';
import { redactTrace } from '../../../src/suite/store/read-lines.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { message } from '../../support/records.ts';

// Files that a suite writes as it goes.

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const storeAll = createRedactor({ shapes: false });
const record = (content: Value = 'x'): Redacted<TraceRecord> => storeAll.record({ ...message({ content }), seq: 1 });
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const none = (): void => {
  throw new Error('it is not called');
};

describe('a trace file', () => {
  test('is made for its owner only, with its folder', () => {
    const folder = freshFolder();
    const path = join(folder, 'traces', 'a.jsonl');
    new TraceFile(path, none).close();
    expect([modeOf(path), modeOf(join(folder, 'traces')), readFileSync(path, 'utf8')]).toEqual(['600', '700', '']);
  });

  test('gathers records for 50 ms, or until there are 16,384 characters', () => {
    const path = join(freshFolder(), 'a.jsonl');
    const trace = new TraceFile(path, none);
    const sizes = [trace.write(record())];
    const size = (): number => statSync(path).size;
    expect(size()).toBe(0);
    vi.advanceTimersByTime(49);
    sizes.push(trace.write(record()));
    expect(size()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(size()).toBe((sizes[0] ?? 0) + (sizes[1] ?? 0));
    const before = size();
    const [small = 0] = sizes;
    const exact = trace.write(record('x'.repeat(16_384 - small + 1)));
    expect([exact, size() - before]).toEqual([16_384, 16_384]);
    expect(vi.getTimerCount()).toBe(0);
    const short = trace.write(record('x'.repeat(16_384 - small)));
    expect([short, size() - before]).toEqual([16_383, 16_384]);
    vi.advanceTimersByTime(50);
    expect(size() - before).toBe(16_384 + 16_383);
    trace.write(record());
    trace.close();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 1, 1, 1, 1]);
  });

  test('waits for its path, and is dropped if it never gets one', () => {
    const folder = freshFolder();
    let path: string | undefined;
    const trace = new TraceFile(() => path, none);
    trace.write(record('first'));
    vi.advanceTimersByTime(50);
    path = join(folder, 'a.jsonl');
    trace.write(record('second'));
    trace.close();
    expect(readFileSync(path, 'utf8').split('\n').filter(Boolean)).toHaveLength(2);
    const other = new TraceFile(() => undefined, none);
    other.write(record());
    other.close();
    expect(readdirSync(folder)).toEqual(['a.jsonl']);
  });

  test('reports once that it cannot be written, and writes no more', () => {
    const folder = freshFolder([['file', '']]);
    const reported: string[] = [];
    let path: string | undefined;
    const trace = new TraceFile(
      () => path,
      (reason) => reported.push(reason),
    );
    path = join(folder, 'file', 'a.jsonl');
    for (const content of ['a', 'b']) {
      trace.write(record(content));
      vi.advanceTimersByTime(50);
    }
    path = join(folder, 'a.jsonl');
    trace.write(record());
    trace.close();
    expect(reported).toEqual([expect.stringMatching(/^the trace cannot be written: E[A-Z]+:/)]);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('keeps a message that is nested 20,000 levels deep', () => {
    const path = join(freshFolder(), 'a.jsonl');
    const trace = new TraceFile(path, none);
    let nested: Value = [];
    for (let depth = 0; depth < 20_000; depth++) nested = [nested];
    trace.write({ ...record(), content: nested } as Redacted<TraceRecord>);
    trace.close();
    expect(readFileSync(path, 'utf8')).toContain(`${'['.repeat(20_001)}${']'.repeat(20_001)}`);
  });

  test('is redacted line by line, without empty lines', async () => {
    const folder = freshFolder([['a.jsonl', '{"a":"my-secret"}\n\n{"b":1}\n']]);
    const path = join(folder, 'a.jsonl');
    const given = new KnownSecrets();
    given.add('my-secret');
    await redactTrace(path, createRedactor({ shapes: false, given }));
    const [first, second, ...others] = readFileSync(path, 'utf8').split('\n');
    expect([first?.includes('my-secret'), second, others]).toEqual([false, '{"b":1}', ['']]);
    expect([modeOf(path), readdirSync(folder)]).toEqual(['600', ['a.jsonl']]);
  });

  test('leaves no draft if it cannot be redacted', async () => {
    const folder = freshFolder([['a.jsonl', '{}\n']]);
    const failing = { ...storeAll, line: none as never };
    await expect(redactTrace(join(folder, 'a.jsonl'), failing)).rejects.toThrow('it is not called');
    expect(readdirSync(folder)).toEqual(['a.jsonl']);
  });
});

describe('replaceFile', () => {
  test('replaces a file as a whole, for its owner only', () => {
    const folder = freshFolder([['a.json', 'before']]);
    const path = join(folder, 'a.json');
    replaceFile(path, 'after');
    expect([readFileSync(path, 'utf8'), modeOf(path), readdirSync(folder)]).toEqual(['after', '600', ['a.json']]);
  });

  test('leaves a file that cannot be replaced, and no draft', () => {
    const folder = freshFolder();
    const path = join(folder, 'a.json');
    mkdirSync(path);
    writeFileSync(join(path, 'in it'), '');
    expect(() => replaceFile(path, 'after')).toThrow();
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});
