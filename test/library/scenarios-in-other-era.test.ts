import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BuiltInAgentName, builtInAgent } from '../../src/agents/built-in/built-in-agents.ts';
import { systemClock } from '../../src/attack/transport/clock.ts';
import { findMismatches, toFoundInTrace } from '../../src/cli/test/found-results.ts';
import { readTestFile } from '../../src/cli/test/test-file.ts';
import { load } from '../../src/index.ts';
import { openLibrary } from '../../src/suite/library/library.ts';
import { playDocument } from '../../src/suite/play/play-run.ts';
import { a2aServerMode, mcpServerMode } from '../../src/suite/play/playable-modes.ts';
import { mcpErasOf, playedInSessions } from '../support/mcp-eras.ts';

// A document means the same in both eras of MCP. `scenarios.test.ts` plays each in one of them; here it is played in the other,
// and held to the same test file.

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

const read = readTestFile(readFileSync(join(library.folder, 'library.test.yaml'), 'utf8'));
if (!read.ok) throw new Error(read.problems.join('; '));
const cases = read.file.cases.flatMap((each) => (each.kind === 'agent' ? [each] : []));

/** Documents that cannot be played in the other era, and why. */
const inOneEra: ReadonlyMap<string, string> = new Map([
  ['OATS-099', 'in sessions structured content is an object, and the official client refuses any other'],
]);

const documents = library.documents
  .map(({ id, path }) => ({ id: String(id), text: readFileSync(path, 'utf8') }))
  .filter(({ id, text }) => /mode: mcp_/.test(text) && !inOneEra.has(id))
  .map(({ id, text }) => {
    const loaded = load(text);
    if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
    const other = playedInSessions.has(id) ? ('2026-07-28' as const) : ('2024-11-05' as const);
    return { id, document: loaded.document, other };
  });

describe.each(documents)('$id of the library in the era of $other', ({ document, other }) => {
  const era = other === '2024-11-05' ? 'legacy' : 'modern';
  test.each(cases)('has the expected outcome on $agent', async ({ agent, expect: { twin: _, ...expected } }) => {
    const { verdict, ...judged } = await playDocument(document, {
      modes: [mcpServerMode({}, era), a2aServerMode()],
      era,
      agent: builtInAgent(agent as BuiltInAgentName),
      clock: systemClock,
    });
    expect(mcpErasOf(judged.delivery)).toEqual([other]);
    expect(judged.coverage.missing).toEqual([]);
    expect(findMismatches(expected, toFoundInTrace(verdict, judged), { isOneOfMany: true })).toEqual([]);
  });
});

test('more than thirty documents are played in the other era, and all exceptions are in the library', () => {
  expect(documents.length).toBeGreaterThan(30);
  const ids = library.documents.map(({ id }) => id);
  expect([...inOneEra.keys(), ...playedInSessions].filter((id) => !ids.includes(id))).toEqual([]);
});
