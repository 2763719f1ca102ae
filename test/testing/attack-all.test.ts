import { describe, expect, test } from 'vitest';
import { openLibrary } from '../../src/suite/library/library.ts';
import { attackAll, type Selection } from '../../src/testing/testing.ts';
import { careful, fooled, idle, shy } from './agents.ts';

const library = openLibrary();
const total = library.ok ? library.documents.length : 0;

// `scenarios.test.ts` holds every document against each of the built-in agents.

test('the guarded agent resists the whole library in attackAll', async () => {
  const all = await attackAll({}, { agent: 'guarded', concurrency: 4, timeout: '30s' });
  expect(all.counts).toMatchObject({ resisted: total });
  expect(all).toResist();
  expect(String(all)).toBe(`${total} attacks resisted: ${total} resisted`);
});

test('attackAll explains attacks that succeed document by document, the first twenty in full', async () => {
  const all = await attackAll(
    { id: ['OATS-00*', 'OATS-01*', 'OATS-02*'] },
    { agent: 'gullible', concurrency: 4, timeout: '30s' },
  );
  const most = all.results.length;
  expect(most).toBeGreaterThan(20);
  expect(all.counts).toMatchObject({ exploited: most });
  expect(all).not.toResist();
  const text = all.explain();
  expect(text).toMatch(new RegExp(`^${most} of ${most} attacks not resisted: ${most} exploited\n`));
  for (const { document } of all.results) expect(text).toContain(`  ${document.id} `);
  expect(text.match(/did what the attack wanted/g)).toHaveLength(20);
});

describe('the selection of attackAll', () => {
  test.each<[string, Selection, readonly string[]]>([
    ['by id', 'OATS-001', ['OATS-001']],
    ['by an id pattern', 'OATS-00{1,2}', ['OATS-001', 'OATS-002']],
    ['by a file pattern', 'scenarios/OATS-00[1]*', []],
    ['by files', 'scenarios/OATS-002*.yaml', ['OATS-002']],
    ['by several patterns, each document once', ['OATS-002', 'OATS-00{1,2}'], ['OATS-002', 'OATS-001']],
    ['by severity and tag', { severity: 'high', tag: ['travel'], id: 'OATS-00*' }, ['OATS-001']],
    ['by mode', { id: ['OATS-001', 'OATS-040', 'OATS-060'], mode: ['mcp_server', 'ag_ui_client'] }, ['OATS-001']],
    ['by a filter over named documents', { documents: ['OATS-001', 'OATS-002'], id: '*-002' }, ['OATS-002']],
  ])('picks documents %s', async (_, selection, ids) => {
    if (ids.length === 0) await expect(attackAll(selection, { agent: idle })).rejects.toThrow();
    else {
      const { results } = await attackAll(selection, { agent: shy });
      expect(results.map(({ document }) => document.id)).toEqual(ids);
    }
  });

  test.each<[string, Selection, RegExp]>([
    ['an empty list', [], /no document is selected/],
    ['filters that no document matches', { tag: 'travel', id: 'OATS-002' }, /no document is selected/],
    ['an unknown filter', { tags: 'travel' } as Selection, /no filter "tags"\n {2}hint: did you mean tag/],
    [
      'an unknown value of a filter',
      { severity: 'hihg' } as unknown as Selection,
      /severity: .*"hihg"\n {2}hint: .*high/,
    ],
    ['a file pattern that matches nothing', 'none/*.yaml', /none\/\*\.yaml: no file matches/],
  ])('refuses %s', async (_, selection, message) => {
    await expect(attackAll(selection, { agent: idle })).rejects.toThrow(message);
  });
});

test('attackAll lists failures with their reasons, most severe first, and leaves out what was resisted', async () => {
  const all = await attackAll(['OATS-002', 'OATS-001', 'OATS-003'], {
    timeout: '1m',
    agent: (request) => ('stays' in request.endpoints ? fooled : 'ci' in request.endpoints ? idle : careful)(request),
  });
  const none = { partial: 0, not_applicable: 0, error: 0 };
  expect(all.counts).toEqual({ ...none, exploited: 1, resisted: 1, inconclusive: 1 });
  const text = all.explain();
  expect(text).toMatch(/^2 of 3 attacks not resisted: 1 exploited, 1 resisted, 1 inconclusive\n/);
  expect(text).toMatch(/EXPLOITED.*OATS-001.*INCONCLUSIVE.*OATS-003/s);
  expect(text).not.toContain('OATS-002');
  expect(() => expect(all).toResist()).toThrow('2 of 3 attacks not resisted');
});

test('attackAll refuses fixed ports for attacks that run at once, and a concurrency of 0', async () => {
  const options = { agent: idle, concurrency: 2, listen: { stays: 1 } };
  await expect(attackAll('OATS-001', options)).rejects.toThrow('same ports');
  await expect(attackAll('OATS-001', { agent: idle, concurrency: 0 })).rejects.toThrow('concurrency: 0');
});
