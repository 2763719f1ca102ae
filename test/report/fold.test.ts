import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../../src/format/model/results-file.ts';
import { joinNamesWithin } from '../../src/report/group-alike.ts';
import { type TextStyle, writeText } from '../../src/report/text-report.ts';
import { measureWidth } from '../../src/report/text-width.ts';
import { context, type Facts, resultsOf } from './some-results.ts';

const paint = (text: string): string => text;
const look: TextStyle = {
  columns: 80,
  colours: { bold: paint, dim: paint, red: paint, green: paint, yellow: paint },
};

type OutcomeOf = (agent: number) => OutcomeName;

/** Documents T-1, T-2 … on this many agents. */
function textOf(agents: number, documents: readonly OutcomeOf[], facts: Partial<Facts> = {}): string {
  const attacks = documents.flatMap((outcomeOf, document) =>
    Array.from({ length: agents }, (_, agent) => ({
      id: `T-${document + 1}`,
      agent: `agent-${agent + 1}`,
      outcomes: [outcomeOf(agent)],
      ...facts,
    })),
  );
  return writeText(resultsOf(attacks), context, look);
}

const summaryOf = (text: string): readonly string[] => text.split('\n\n')[0]?.split('\n') ?? [];

describe('the text report of thirty agents at eighty columns', () => {
  test('puts agents with the same outcomes into one column, with their number', () => {
    const text = textOf(30, [(agent) => (agent === 4 ? 'exploited' : 'resisted'), () => 'resisted']);
    expect(summaryOf(text)).toEqual([
      'Summary',
      '              agent-1 +28  agent-5',
      '  T-1 A shop  RESISTED     EXPLOITED',
      '  T-2 A shop  RESISTED     RESISTED',
    ]);
    expect(text).toMatch(/^ {2}agent-1 \+28: agent-2, agent-3, .* and \d+ more$/m);
  });

  test('counts the most common outcome and names the other agents if too many differ', () => {
    // Every agent is the only one to resist one of the documents.
    const documents = Array.from({ length: 30 }, (_, own): OutcomeOf => {
      return (agent) => (agent === own ? 'resisted' : agent === (own + 1) % 30 ? 'inconclusive' : 'exploited');
    });
    const lines = summaryOf(textOf(30, [() => 'resisted', () => 'partial', ...documents]));
    expect(lines.slice(0, 8)).toEqual([
      'Summary',
      '  the same on all agents',
      '    RESISTED      30: 1 attack',
      '    PARTIAL       30: T-2 A shop',
      '  where agents differ',
      '  T-3 A shop',
      '    EXPLOITED     28: the others',
      '    INCONCLUSIVE   1: agent-2',
    ]);
    expect(lines).toHaveLength(5 + 30 * 4);
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(80);
  });

  test('keeps an agent with an inconclusive repeat apart from those that resisted', () => {
    const attacks = Array.from({ length: 30 }, (_, agent): Facts => {
      const outcomes: readonly OutcomeName[] = agent === 7 ? ['resisted', 'inconclusive'] : ['resisted', 'resisted'];
      return { id: 'T-1', agent: `agent-${agent}`, outcomes };
    });
    const lines = summaryOf(writeText(resultsOf(attacks), context, look));
    expect(lines[2]).toMatch(/RESISTED 0\/2 +INCONCLUSIVE 0\/1$/);
  });

  test('shows evidence and reasons that are the same only once', () => {
    const text = textOf(30, [(agent) => (agent < 20 ? 'exploited' : 'inconclusive')], {
      evidence: 'the canary',
      reason: 'it never answered',
    });
    expect(text.match(/the canary/g)).toHaveLength(1);
    expect(text.match(/it never answered/g)).toHaveLength(1);
    expect(text).toMatch(/T-1 A shop on agent-1, agent-2, .* and \d+ more: exploited, boundary_breach/);
  });

  test('shows totals that are the same only once', () => {
    const text = textOf(30, [(agent) => (agent < 20 ? 'exploited' : 'resisted')]);
    expect(text.match(/attacks succeeded in/g)).toHaveLength(2);
  });
});

test.each([1, 3])('the text report shows %i agents one by one', (agents) => {
  const text = textOf(agents, [() => 'exploited'], { evidence: 'the canary' });
  expect(text.match(/the canary/g)).toHaveLength(agents);
  expect(text.match(/attacks succeeded in/g)).toHaveLength(agents);
});

test.each([
  [['a', 'b', 'c'], 20, 'a, b, c'],
  [['anna', 'bert', 'carla'], 15, 'anna and 2 more'],
  [['a name that is longer than its room', 'b'], 10, 'a name that is longer than its room and 1 more'],
])('joinNamesWithin shortens %j to %i columns', (names, columns, reported) => {
  expect(joinNamesWithin(names, columns)).toBe(reported);
});
