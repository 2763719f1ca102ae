import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtInAgent } from '../../src/built-in/built-in-agents.ts';
import { type BuiltInAgentName, builtInAgentNames } from '../../src/built-in/names.ts';
import { load, type NormalizedDocument } from '../../src/index.ts';
import { openLibrary } from '../../src/suite/library.ts';
import { a2aServerMode, mcpServerMode } from '../../src/suite/modes.ts';
import { playDocument } from '../../src/suite/play.ts';
import { systemClock } from '../../src/transport/clock.ts';

// A document means the same in both eras of MCP: every shipped document has the same outcome with the same agent.

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

/** Documents that cannot be played in one of the eras, and why. */
const inOneEra: ReadonlyMap<string, string> = new Map([
  ['OATS-099', 'in sessions structured content is an object, and the official client refuses any other'],
]);

const documents = library.documents
  .map(({ id, path }) => ({ id: String(id), text: readFileSync(path, 'utf8') }))
  .filter(({ id, text }) => /mode: mcp_/.test(text) && !inOneEra.has(id))
  .map(({ id, text }) => {
    const loaded = load(text);
    if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
    return { id, document: loaded.document };
  });

async function play(document: NormalizedDocument, name: BuiltInAgentName, era: 'legacy' | 'modern') {
  const { outcome, verdict, coverage, delivery } = await playDocument(document, {
    modes: [mcpServerMode({}, era), a2aServerMode()],
    era,
    agent: builtInAgent(name),
    clock: systemClock,
  });
  const eras = new Set(
    Object.values(delivery).flatMap(({ mode, eras: spoken = [] }) => (mode.startsWith('mcp_') ? spoken : [])),
  );
  return {
    eras: [...eras],
    came: {
      outcome,
      missing: coverage.missing,
      results: verdict.indicatorVerdicts.map(({ indicatorId, result }) => `${indicatorId} ${result}`),
    },
  };
}

describe.each(documents)('$id', ({ document }) => {
  test.each(builtInAgentNames)('%s', async (name) => {
    const [before, since] = await Promise.all([
      play(document, name, 'legacy'),
      play(document, name, 'modern'),
    ]);
    expect([before.eras, since.eras]).toEqual([['2024-11-05'], ['2026-07-28']]);
    expect(since.came).toEqual(before.came);
  });
});

test('there are such documents, and the exceptions are of the library', () => {
  expect(documents.length).toBeGreaterThan(30);
  const ids = library.documents.map(({ id }) => id);
  expect([...inOneEra.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});
