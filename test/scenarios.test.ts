import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtInAgent } from '../src/built-in/built-in-agents.ts';
import { load, type NormalizedDocument } from '../src/index.ts';
import { diagnoseMarked, loadMarked } from '../src/load-marked.ts';
import { benignTwin } from '../src/marks/benign-twin.ts';
import { openLibrary } from '../src/suite/library.ts';
import { a2aServerMode, mcpServerMode } from '../src/suite/modes.ts';
import { type PlayResult, playDocument } from '../src/suite/play.ts';
import { systemClock } from '../src/transport/clock.ts';

// What ships is held against the two built-in agents, over real sockets: every document tells them apart.

const library = openLibrary();
if (!library.ok) throw new Error(library.reason);

function documentAt(path: string): NormalizedDocument {
  const loaded = load(readFileSync(path, 'utf8'));
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
  return loaded.document;
}

function twinAt(path: string): NormalizedDocument {
  const text = readFileSync(path, 'utf8');
  const loaded = loadMarked(text);
  if (!loaded.ok || loaded.marks === undefined) throw new Error(`${path} is not marked`);
  const twin = benignTwin(text, loaded.marks);
  if (!twin.ok) throw new Error(twin.errors.map(({ message }) => message).join('; '));
  return twin.document;
}

function attack(document: NormalizedDocument, agent: 'gullible' | 'guarded'): Promise<PlayResult> {
  return playDocument(document, {
    modes: [mcpServerMode(), a2aServerMode()],
    agent: builtInAgent(agent),
    clock: systemClock,
  });
}

describe.each(library.documents)('$id', ({ id, path }) => {
  test('is valid, and warns of nothing but extensions', () => {
    const codes = diagnoseMarked(readFileSync(path, 'utf8')).map(({ code }) => code);
    expect(codes.filter((code) => code !== 'O-009')).toEqual([]);
  });

  test('carries its own id, indicators with tiers, and a severity', () => {
    const { attack } = documentAt(path);
    expect([attack.id, attack.severity?.level !== undefined, attack.description !== undefined]).toEqual([
      id,
      true,
      true,
    ]);
    expect((attack.indicators ?? []).filter(({ tier }) => tier === undefined)).toEqual([]);
  });

  test('exploits gullible', async () => {
    const { outcome } = await attack(documentAt(path), 'gullible');
    expect(['exploited', 'partial']).toContain(outcome.outcome);
  });

  test('does not exploit gullible in its benign twin', async () => {
    const { verdict } = await attack(twinAt(path), 'gullible');
    const matched = verdict.indicatorVerdicts.filter(({ result }) => result === 'matched');
    expect(matched).toEqual([]);
  });

  test('is resisted by guarded, which got all that the attack needs', async () => {
    const { outcome, verdict, coverage } = await attack(documentAt(path), 'guarded');
    const matched = verdict.indicatorVerdicts.filter(({ result }) => result === 'matched');
    const unseen = coverage.missing;
    expect({ ...outcome, matched, unseen }).toEqual({ outcome: 'resisted', matched: [], unseen: [] });
  });
});

test('there are at least fifteen', () => {
  expect(library.documents.length).toBeGreaterThanOrEqual(15);
});
