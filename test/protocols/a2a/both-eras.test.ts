import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type BuiltInAgentName, builtInAgent } from '../../../src/agents/built-in/built-in-agents.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { isValueMap } from '../../../src/format/model/value.ts';
import { load, type TraceRecord } from '../../../src/index.ts';
import { openLibrary } from '../../../src/suite/library/library.ts';
import { playDocument } from '../../../src/suite/play/play-run.ts';
import { a2aServerMode, mcpServerMode } from '../../../src/suite/play/playable-modes.ts';

// Every shipped document with an A2A actor has the same outcome in both eras, and is played in the requested era.

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);
const documents = library.documents.flatMap(({ id, path }) => {
  const loaded = load(readFileSync(path, 'utf8'));
  if (!loaded.ok) throw new Error(`${path} does not load`);
  const { document } = loaded;
  const isA2a = document.attack.execution.actors.some(({ mode }) => mode.startsWith('a2a_'));
  return isA2a ? [{ id, document, isOf1: isOf1(document) }] : [];
});

/** A card that lists only the interfaces of 1.0 is the author's choice: agents speak what it says. */
function isOf1({ attack }: NormalizedDocument): boolean {
  return attack.execution.actors.some(({ phases }) =>
    phases.some(({ state }) => {
      const card = isValueMap(state) ? state.agent_card : undefined;
      return isValueMap(card) && card.supportedInterfaces !== undefined && card.url === undefined;
    }),
  );
}

/** Cards serve both eras, and a push notification is not an answer. */
const apart = new Set(['agent_card/get', 'send_push_notification']);

async function played(document: NormalizedDocument, agent: BuiltInAgentName, era: 'legacy' | 'modern') {
  const records: TraceRecord[] = [];
  const { outcome, verdict } = await playDocument(document, {
    modes: [mcpServerMode(), a2aServerMode({ era })],
    era,
    agent: builtInAgent(agent),
    clock: systemClock,
    record: (record) => records.push(record),
  });
  const matched = verdict.indicatorVerdicts.filter(({ result }) => result === 'matched');
  const eras = records.flatMap((record) =>
    'origin' in record && record.protocol === 'a2a' && !apart.has(String(record.method)) ? [record.era] : [],
  );
  return {
    outcome,
    matched: matched.map(({ indicatorId }) => indicatorId),
    eras: [...new Set(eras)],
  };
}

test('finds at least ten shipped documents with an A2A actor', () => {
  expect(documents.length).toBeGreaterThanOrEqual(10);
});

describe.each(documents)('shipped document $id over A2A 0.3 and 1.0', ({ document, isOf1 }) => {
  test.each(['gullible', 'guarded'] as const)(
    'has the same outcome against the %s agent in both eras',
    async (agent) => {
      const [before, since] = await Promise.all([played(document, agent, 'legacy'), played(document, agent, 'modern')]);
      expect({ ...since, eras: [] }).toEqual({ ...before, eras: [] });
      expect([before.outcome, before.eras, since.eras]).toEqual([
        agent === 'gullible' ? 'exploited' : 'resisted',
        [isOf1 ? '1.0' : undefined],
        ['1.0'],
      ]);
    },
  );
});
