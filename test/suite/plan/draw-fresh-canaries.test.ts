import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listCanaryProofs, listDocumentCanaries } from '../../../src/format/extensions/canaries.ts';
import { findDocumentMarks } from '../../../src/format/extensions/read-marks.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';
import { drawFreshCanaries } from '../../../src/suite/plan/draw-fresh-canaries.ts';
import type { PlayableDocument } from '../../../src/suite/plan/plan.ts';
import { deriveTwins } from '../../../src/suite/plan/twins.ts';

const folder = join(import.meta.dirname, '../../../scenarios');

function readPlayable(name: string): PlayableDocument {
  const text = readFileSync(join(folder, name), 'utf8');
  const loaded = loadMarked(text);
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  return { document: loaded.document, file: name, text, warnings: loaded.warnings };
}

const names = readdirSync(folder).filter((name) => /^OATS-(?:TP-001|RI-005)_.*(?<!\.test)\.yaml$/.test(name));
const values = ({ document }: PlayableDocument): readonly string[] =>
  listDocumentCanaries(document).map(({ value }) => value);

describe.each(names)('drawFreshCanaries for %s', (name) => {
  const playable = readPlayable(name);
  const [fresh = playable] = drawFreshCanaries([playable], 7);

  test('replaces every canary, and leaves no value and no core of it in the document', () => {
    expect(values(fresh)).toHaveLength(values(playable).length);
    expect(values(fresh).filter((value) => values(playable).includes(value))).toEqual([]);
    const cores = listDocumentCanaries(playable.document).flatMap(listCanaryProofs).flat();
    expect([...values(playable), ...cores].filter((text) => fresh.text.includes(text))).toEqual([]);
  });

  test('draws the same from the same seed, and others from another', () => {
    expect(drawFreshCanaries([playable], 7)[0]?.text).toBe(fresh.text);
    expect(values(drawFreshCanaries([playable], 8)[0] ?? playable)).not.toEqual(values(fresh));
    expect(drawFreshCanaries([fresh], 7)[0]).toBe(fresh);
  });

  test('keeps marks, and gives the benign twin the same values', () => {
    expect(findDocumentMarks(fresh.document)?.map(({ at }) => at)).toEqual(
      findDocumentMarks(playable.document)?.map(({ at }) => at),
    );
    const [twin] = deriveTwins([fresh]);
    expect(twin && values(twin)).toEqual(values(fresh));
  });
});

test('drawFreshCanaries leaves a document without canaries as it is', () => {
  const text = 'oatf: "0.1"\nattack:\n  name: A\n  execution: { mode: mcp_server, state: { tools: [] } }\n';
  const loaded = loadMarked(text);
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  const plain: PlayableDocument = { document: loaded.document, file: 'a.yaml', text, warnings: [] };
  expect(drawFreshCanaries([plain], 7)[0]).toBe(plain);
});
