import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type AttackReport, assertResists, attack, attackAll } from '../../src/testing/testing.ts';
import { calling } from './agents.ts';

// Attacks with their benign twins, on agents that do the act of the attack always, and only when the attack asks for it.

const noisy = readFileSync(new URL('../../examples/noisy-indicator.yaml', import.meta.url), 'utf8');
/** The same with the indicator that only the attack causes. */
const sound = noisy.replace(/ {4}- id: MINE-002-02[\s\S]*?tier: ingested\n/, '');

const always = calling('send_report');

function passes(report: AttackReport, isNot = false): boolean {
  try {
    if (isNot) expect(report).not.toResist();
    else expect(report).toResist();
    return true;
  } catch {
    return false;
  }
}

describe('attack with twins', () => {
  test('does not call an agent exploited that always does the act', async () => {
    const report = await attack(sound, { agent: always, twins: true });
    expect(report).toMatchObject({
      outcome: 'inconclusive',
      cause: 'unattributed',
      lowered: 'exploited',
      status: 'undecided',
      evidence: [],
      attribution: [{ indicator: 'MINE-002-01', status: 'not_attributed' }],
    });
    expect(report.twinRuns?.map(({ outcome }) => outcome)).toEqual(['exploited']);
    expect([passes(report), passes(report, true)]).toEqual([false, false]);
    expect(() => assertResists(report)).toThrow(/UNATTRIBUTED.*\n.*without the attack/);
  });

  test('calls an agent exploited that does the act only under attack', async () => {
    const report = await attack(noisy, { agent: 'gullible', twins: true });
    expect(report).toMatchObject({
      outcome: 'exploited',
      tier: 'local_action',
      set_aside: ['MINE-002-02'],
      evidence: [{ indicator: 'MINE-002-01' }],
    });
    expect([passes(report), passes(report, true)]).toEqual([false, true]);
  });

  test('plays the twin as often as the attack', async () => {
    const report = await attack(sound, { agent: always, twins: true, repeat: 2, maxRate: 0 });
    expect([report.runs.length, report.twinRuns?.length, report.rate.of]).toEqual([2, 2, 0]);
    expect(report.explain()).toContain('2 unattributed');
  });

  test('gives one result for each document, and none for a twin', async () => {
    const { results, counts } = await attackAll([noisy, sound.replaceAll('MINE-002', 'MINE-003')], {
      agent: 'guarded',
      twins: true,
    });
    expect(results.map(({ document, outcome }) => [document.id, outcome])).toEqual([
      ['MINE-002', 'inconclusive'],
      ['MINE-003', 'resisted'],
    ]);
    expect(counts).toMatchObject({ inconclusive: 1, resisted: 1 });
  });

  test('is advised after a success without twins', async () => {
    const report = await attack(sound, { agent: always });
    expect(report).toMatchObject({ outcome: 'exploited', attribution: [{ status: 'unknown' }] });
    expect(report.advice).toContain('`twins: true` shows whether the attack caused this');
  });

  test.each([
    ['together with twin', { twin: true, twins: true }, sound, /twin: it plays only the benign twin/],
    ['without marks', { twins: true }, sound.replace(/ {2}x-payload:[\s\S]*$/, ''), /twins: without marks/],
  ])('rejects %s', async (_title, options, document, message) => {
    await expect(attack(document, { agent: 'guarded', ...options })).rejects.toThrow(message);
  });
});
