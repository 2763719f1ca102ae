import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { listToText } from '../../../src/cli/commands/list-command.ts';
import type { Io, Sink } from '../../../src/cli/io.ts';
import { selectDocuments } from '../../../src/cli/library/catalogue.ts';
import type { DocumentSummary } from '../../../src/suite/library/document-summary.ts';
import { applyFilters, type Filters } from '../../../src/suite/library/filters.ts';
import { findDocument, findDocuments } from '../../../src/suite/library/find-documents.ts';
import type { Library } from '../../../src/suite/library/library.ts';
import { isLikeId } from '../../../src/suite/library/library-ids.ts';
import { readSourceDocument } from '../../../src/suite/library/read-document.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const nothing = { impact: [], tags: [], protocols: [], modes: [], surfaces: [], tiers: [], mappings: [] };
const summaries: readonly DocumentSummary[] = [
  { ...nothing, id: 'A-001', name: 'one', status: 'stable', severity: 'high', category: 'oversight_bypass' },
  {
    ...nothing,
    id: 'A-002',
    name: 'two',
    status: 'stable',
    severity: 'low',
    tags: ['poison', 'Tool-Result'],
    tiers: ['ingested', 'boundary_breach'],
    mappings: [{ framework: 'owasp_llm', id: 'LLM01' }],
  },
  {
    ...nothing,
    id: 'B-001',
    name: 'three',
    status: 'stable',
    severity: 'high',
    protocols: ['mcp', 'ag_ui'],
    modes: ['mcp_server', 'ag_ui_client'],
    surfaces: ['tools', 'list-changes'],
  },
  {
    ...nothing,
    name: 'four',
    status: 'draft',
    tags: ['poison'],
    protocols: ['acme'],
    modes: ['acme_server'],
    surfaces: ['resources'],
  },
];
const items = summaries.map((summary) => ({ about: { ok: true as const, summary } }));
const none: Filters = {
  tag: [],
  severity: [],
  category: [],
  protocol: [],
  mode: [],
  surface: [],
  tier: [],
  status: [],
  mapping: [],
  id: [],
  grep: [],
};

function namesPassing(filters: Partial<Filters>): readonly string[] | string {
  const passed = applyFilters(items, { ...none, ...filters });
  return passed.ok ? passed.items.map(({ about }) => about.summary.name) : passed.hint;
}

describe('passing, for filters', () => {
  test.each<[Partial<Filters>, readonly string[]]>([
    [{}, ['one', 'two', 'three', 'four']],
    [{ severity: ['high'] }, ['one', 'three']],
    [{ severity: ['high', 'low'] }, ['one', 'two', 'three']],
    [{ severity: ['high'], protocol: ['mcp'] }, ['three']],
    [{ tag: ['poison'] }, ['two', 'four']],
    [{ grep: ['WO'] }, ['two']],
    [{ grep: ['poison'], severity: ['low'] }, ['two']],
    [{ grep: ['one', 'wo'] }, ['one', 'two']],
    [{ tag: ['POISON'], severity: ['low'] }, ['two']],
    [{ tag: ['tool_result'] }, ['two']],
    [{ protocol: ['AG-UI'] }, ['three']],
    [{ protocol: ['acme'] }, ['four']],
    [{ category: ['oversight_bypass'] }, ['one']],
    [{ tier: ['boundary_breach'] }, ['two']],
    [{ tier: ['local_action'] }, []],
    [{ status: ['draft'] }, ['four']],
    [{ status: ['draft', 'stable'], tag: ['poison'] }, ['two', 'four']],
    [{ mapping: ['owasp-llm'] }, ['two']],
    [{ mapping: ['owasp_llm:llm01'] }, ['two']],
    [{ id: ['A-*'] }, ['one', 'two']],
    [{ id: ['?-001'] }, ['one', 'three']],
    [{ id: ['a-00{1,2}'] }, ['one', 'two']],
    [{ id: ['b-001', 'A-002'] }, ['two', 'three']],
    // A document with an actor of any other mode is left out.
    [{ mode: ['mcp_server', 'AG-UI-client'], protocol: ['mcp'] }, ['three']],
    [{ mode: ['mcp_server'], protocol: ['mcp'] }, []],
    [{ mode: ['acme_server'], tag: ['poison'], status: ['draft'] }, ['four']],
    [{ surface: ['tools'] }, ['three']],
    [{ surface: ['list_changes', 'resources'] }, ['three', 'four']],
    [{ surface: ['sampling'] }, []],
    // Known to the format, though no document here has it.
    [{ severity: ['critical'] }, []],
    [{ protocol: ['a2a'] }, []],
    [{ severity: ['low'], protocol: ['mcp'] }, []],
  ])('selects by %j: %j', (filters, expected) => {
    expect(namesPassing(filters)).toEqual(expected);
  });

  test.each<[Partial<Filters>, string]>([
    [{ tag: ['posion'] }, 'did you mean poison?'],
    [{ protocol: ['mpc', 'mcp'] }, 'did you mean mcp?'],
    [{ protocol: ['acne'] }, 'did you mean acme?'],
    [{ mode: ['mcp_sever'] }, 'did you mean mcp_server?'],
    [{ surface: ['resource'] }, 'did you mean resources?'],
    [{ mapping: ['owasp_lm'] }, 'did you mean owasp_llm?'],
    [{ mapping: ['owasp_llm:LLM99'] }, 'did you mean owasp_llm:LLM01?'],
    [{ mapping: ['atlas'] }, 'here they have owasp_llm, owasp_llm:LLM01'],
    [{ id: ['A-003'] }, 'did you mean A-001?'],
    [{ id: ['C-*'] }, 'here they have A-001, A-002, B-001'],
  ])('refuses %j with the hint %s', (filters, hint) => {
    expect(namesPassing(filters)).toContain(hint);
  });

  test('lets broken documents pass every filter', () => {
    const broken = { about: { ok: false as const, reason: 'broken' } };
    const passed = applyFilters([...items, broken], { ...none, severity: ['critical'] });
    expect(passed).toEqual({ ok: true, items: [broken] });
    expect(applyFilters([broken], { ...none, tag: ['any'] })).toEqual({ ok: true, items: [broken] });
  });
});

const library = (): Library => ({
  ok: true,
  folder: '/lib',
  documents: ['OATS-001', 'OATS-002', 'OATS-010'].map((id) => ({ id, path: `/lib/${id}_x.yaml` })),
});
const noLibrary = (): Library => ({ ok: false, reason: 'gone' });
const folder = freshFolder([
  ['OATS-002', 'a file'],
  ['OATS-1.yaml', ''],
]);

describe('ids of the library', () => {
  test.each([
    ['OATS-003', true],
    ['oats-3', true],
    ['OATS-001-005', true],
    ['OATS-0*', true],
    ['oats-{001,002}', true],
    ['OATS-', true],
    ['OATF-003', true],
    ['*', false],
    ['OATS*', false],
    ['attacks', false],
    ['my-attacks', false],
    ['a/OATS-003', false],
    ['OATS-003.yaml', false],
    ['V8', false],
  ])('are recognized by isLikeId: %s is one: %s', (word, expected) => {
    expect(isLikeId(word)).toBe(expected);
  });

  test.each([
    [['OATS-001'], ['/lib/OATS-001_x.yaml']],
    [['oats-001', 'OATS-001'], ['/lib/OATS-001_x.yaml']],
    [
      ['OATS-01*', 'OATS-001'],
      ['/lib/OATS-010_x.yaml', '/lib/OATS-001_x.yaml'],
    ],
    [['OATS-002'], [join(folder, 'OATS-002')]],
    [['OATS-1*'], [join(folder, 'OATS-1.yaml')]],
    [['OATS-003'], ['did you mean OATS-001?']],
    [['OATS-9*'], ['oatf list shows the library']],
  ])('are resolved by findDocuments: %j to %j', (operands, expected) => {
    const found = findDocuments(operands, folder, undefined, library);
    expect(found.map((source) => ('path' in source ? source.path : 'hint' in source && source.hint))).toEqual(expected);
  });

  test('give shipped documents with their names', () => {
    expect(findDocuments(['oats-010'], folder, undefined, library)).toEqual([
      { kind: 'file', name: 'OATS-010', path: '/lib/OATS-010_x.yaml', shipped: true },
    ]);
  });

  test('name one document in findDocument, and a file wins', () => {
    expect(findDocument('oats-01?', folder, library)).toMatchObject({ name: 'OATS-010', shipped: true });
    expect(findDocument('OATS-0*', folder, library)).toMatchObject({ kind: 'missing' });
    expect(findDocument('OATS-002', folder, library)).toEqual({
      kind: 'file',
      name: 'OATS-002',
      path: join(folder, 'OATS-002'),
    });
  });

  test('are reported as missing, with the reason, without a library', () => {
    expect(findDocument('OATS-001', folder, noLibrary)).toMatchObject({
      kind: 'missing',
      reason: expect.stringContaining('gone'),
    });
  });
});

const plain = new Proxy({}, { get: () => (text: string) => text }) as Sink['colours'];

function sink(columns: number, isTTY = true): Sink {
  return { isTTY, columns, colours: plain, write: async () => {}, isOpen: () => true };
}

describe('selectDocuments', () => {
  const attack = (id: string, severity: string) =>
    `oatf: "0.1"\nattack: { id: ${id}, severity: ${severity}, execution: { mode: mcp_server, state: {} } }\n`;
  const cwd = freshFolder([
    ['high.yaml', attack('A-001', 'high')],
    ['low.yaml', attack('A-002', 'low')],
    ['broken.yaml', 'attack: ['],
  ]);
  const io: Io = {
    stdout: sink(80),
    stderr: sink(80),
    stdin: {
      isTTY: false,
      async *chunks() {
        yield Buffer.from(attack('A-003', 'high'));
      },
    },
    pipes: () => ({ input: new PassThrough(), output: new PassThrough() }),
    cwd,
    environment: {},
    interruption: () => new Promise(() => {}),
    enterKey: () => undefined,
    hostCode: () => {},
    endWhenDone: () => {},
  };

  test('does not read documents without filters', async () => {
    expect(await selectDocuments(['low.yaml', '-'], none, io)).toEqual({
      kind: 'selected',
      sources: [
        { kind: 'file', name: 'low.yaml', path: join(cwd, 'low.yaml') },
        { kind: 'stdin', name: '<stdin>' },
      ],
      of: 2,
    });
  });

  test('keeps selected documents readable and includes broken ones', async () => {
    const selection = await selectDocuments(['.', 'gone.yaml', '-'], { ...none, severity: ['high'] }, io);
    const sources = selection.kind === 'selected' ? selection.sources : [];
    const reads = await Promise.all(sources.map((source) => readSourceDocument(source, io)));
    expect(sources.map(({ name }, index) => [name, reads[index]?.kind])).toEqual([
      ['broken.yaml', 'text'],
      ['high.yaml', 'text'],
      ['gone.yaml', 'unreadable'],
      ['<stdin>', 'text'],
    ]);
    expect(selection).toMatchObject({ of: 5 });
  });

  test('fails as wrong usage for an id that no document has', async () => {
    expect(await selectDocuments(['.'], { ...none, id: ['B-*'] }, io)).toEqual({
      kind: 'failed',
      outcome: { exit: 'usage' },
    });
  });

  test('selects the whole library if no documents are named', async () => {
    const selection = await selectDocuments([], none, io);
    expect(selection.kind === 'selected' && selection.sources.length > 0).toBe(true);
  });
});

describe('listToText', () => {
  const summary: DocumentSummary = {
    ...nothing,
    id: 'A-001',
    name: 'An attack of a name that is rather long',
    status: 'stable',
    severity: 'informational',
    category: 'availability_disruption',
    protocols: ['mcp'],
  };
  const rows = [{ summary, file: 'a.yaml' }];

  test.each([
    [100, 'ID     SEVERITY       PROTOCOLS  CATEGORY                 NAME'],
    [80, 'ID     SEVERITY       PROTOCOLS  NAME'],
    [50, 'ID     SEVERITY       NAME'],
    [40, 'ID     SEVERITY       NAME'],
  ])('fits a list into %i columns', (columns, header) => {
    const lines = listToText(rows, 2, sink(columns)).split('\n');
    expect(lines[0]).toBe(header);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test('does not shorten lines in a pipe', () => {
    expect(listToText(rows, 1, sink(40, false))).toContain(summary.name);
  });
});
