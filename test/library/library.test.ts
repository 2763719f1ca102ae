import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { summarizeDocument } from '../../src/suite/library/document-summary.ts';
import { type LibraryDocument, openLibrary } from '../../src/suite/library/library.ts';

const scenarios = fileURLToPath(new URL('../../scenarios', import.meta.url));

describe('the shipped library', () => {
  const library = openLibrary();
  const documents: readonly LibraryDocument[] = library.ok ? library.documents : [];

  test('is found beside the manifest', () => {
    expect(library).toMatchObject({ ok: true, folder: scenarios });
  });

  test('has every document of its folder, each under a unique id', () => {
    const files = readdirSync(scenarios, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /(?<!\.test)\.ya?ml$/.test(name) && !name.startsWith('src/'),
    );
    expect(documents.map(({ path }) => path).toSorted()).toEqual(files.map((name) => join(scenarios, name)).toSorted());
    expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  });

  test.each(documents.map(({ id, path }) => [id, path]))(
    'lists a document under the id %s that stands in it',
    (id, path) => {
      expect(summarizeDocument(readFileSync(path, 'utf8'))).toMatchObject({ ok: true, summary: { id } });
    },
  );
});

describe('openLibrary of another folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-library-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  for (const name of [
    'OATS-002_b.yaml',
    'in/OATS-001-a.yml',
    'OATS-003.yaml',
    'OATS-003-001_c.yaml',
    'a.yaml',
    'OATS-004.md',
    'OATS-005x.yaml',
    'OATS-006_d.test.yaml',
  ]) {
    mkdirSync(join(folder, 'in'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  mkdirSync(join(folder, 'empty'));

  test('lists documents by the names of their files, in the order of ids', () => {
    const library = openLibrary(folder);
    expect(library.ok && library.documents.map(({ id }) => id)).toEqual([
      'OATS-001',
      'OATS-002',
      'OATS-003',
      'OATS-003-001',
    ]);
  });

  test('accepts a single document', () => {
    expect(openLibrary(join(folder, 'in'))).toMatchObject({ ok: true, documents: [{ id: 'OATS-001' }] });
  });

  test('gives a reason if the path is no folder', () => {
    expect(openLibrary(join(folder, 'a.yaml'))).toEqual({
      ok: false,
      reason: expect.stringMatching(/^ENOTDIR/),
    });
  });

  test.each(['empty', 'nothing'])('gives a reason if no document is in the folder: %s', (name) => {
    expect(openLibrary(join(folder, name))).toEqual({ ok: false, reason: expect.stringContaining(name) });
  });
});

const execution = 'execution: { mode: mcp_server, state: { tools: [] } }';

describe('summarizeDocument', () => {
  test.each([
    [
      'fills in what the document leaves out',
      `oatf: "0.1"\nattack: { ${execution} }`,
      { name: 'Untitled', status: 'draft', tags: [], protocols: ['mcp'], modes: ['mcp_server'], tiers: [] },
    ],
    ['reads severity as a word', `oatf: "0.1"\nattack: { severity: high, ${execution} }`, { severity: 'high' }],
    [
      'reads severity as an object',
      `oatf: "0.1"\nattack: { severity: { level: low, confidence: 3 }, ${execution} }`,
      { severity: 'low' },
    ],
    [
      'collects the modes of phases',
      'oatf: "0.1"\nattack: { execution: { phases: [{ mode: a2a_server }, { mode: a2a_server }] } }',
      { modes: ['a2a_server'], protocols: ['a2a'] },
    ],
    [
      'collects the modes of actors',
      'oatf: "0.1"\nattack: { execution: { actors: [{ name: u, mode: ag_ui_client, phases: [] }, { name: v, mode: acme_server, phases: [] }] } }',
      { modes: ['ag_ui_client', 'acme_server'], protocols: ['ag_ui', 'acme'] },
    ],
    [
      'finds the surfaces that the attack needs by its shape',
      'oatf: "0.1"\nattack: { execution: { mode: mcp_server, phases: [{ state: { tools: [{ name: a }] } }, { state: { tools: [{ name: b }], prompts: [{ name: c }] } }] } }',
      { surfaces: ['mcp', 'tools', 'list-changes', 'prompts'] },
    ],
    [
      'finds the surfaces that the attack needs by its marks',
      'oatf: "0.1"\nattack: { execution: { mode: mcp_server, state: { tools: [{ name: a, description: x }], resources: [{ uri: "a:b", name: r, description: y }] } }, x-payload: [{ at: /state/resources/0/description, benign: z }] }',
      { surfaces: ['mcp', 'resources'] },
    ],
    [
      'lists each tier of the indicators once',
      `oatf: "0.1"\nattack: { ${execution}, indicators: [{ target: a, tier: ingested }, { target: b }, { target: c, tier: ingested }] }`,
      { tiers: ['ingested'] },
    ],
    [
      'reads a document that breaks rules',
      'oatf: "9"\nattack: { id: wrong, classification: { category: oversight_bypass, tags: [x] }, execution: {} }',
      { id: 'wrong', category: 'oversight_bypass', tags: ['x'], modes: [] },
    ],
  ])('%s', (_name, text, expected) => {
    expect(summarizeDocument(text)).toMatchObject({ ok: true, summary: expected });
  });

  test.each([
    ['broken YAML', 'oatf: "0.1"\nattack: [', /^line 2: /],
    ['an unknown severity', 'oatf: "0.1"\nattack:\n  severity: bad\n', /^line 3: /],
    ['no attack', 'oatf: "0.1"\n', /^line 1: /],
    ['an empty text', '', /^line 1: /],
  ])('gives a reason with its line for %s', (_name, text, reason) => {
    expect(summarizeDocument(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});
