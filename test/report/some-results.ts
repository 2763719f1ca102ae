import type { Match } from '../../src/format/model/attack-verdict.ts';
import type {
  AttackStatistics,
  AttackStatus,
  DocumentEntry,
  OutcomeName,
  Rate,
  Results,
  RunEntry,
} from '../../src/format/model/results-file.ts';
import type { IndicatorFacts, ReportContext } from '../../src/report/reporter.ts';
import { selectRedactor } from '../../src/secrets/redactor.ts';

// Results as they are stored, made from a few facts.

export interface Facts {
  readonly id?: string;
  readonly name?: string;
  readonly path?: string;
  readonly agent?: string;
  /** One run each. */
  readonly outcomes: readonly OutcomeName[];
  readonly evidence?: string;
  readonly match?: Partial<Match>;
  readonly indicator?: string;
  readonly tier?: string;
  readonly reason?: string;
  readonly severity?: string;
  readonly maxRate?: number;
  readonly tags?: readonly string[];
}

export function resultsOf(
  attacks: readonly Facts[],
  more: Pick<Partial<Results>, 'baseline' | 'not_run' | 'skipped'> = {},
): Results {
  const runs = attacks.map(runsOf);
  const all = runs.flat();
  const agents = [...new Set(all.map(({ agent }) => agent))];
  return {
    version: 3,
    tool: { name: 'oatf', version: '0.1.0' },
    agents: agents.map((name) => ({ name, kind: 'built-in' })),
    started: '2026-11-15T12:00:00.000Z',
    finished: '2026-11-15T12:00:09.000Z',
    runs: all,
    statistics: {
      runs: all.length,
      outcomes: countsOf(all),
      success: successOf(all),
      agents: Object.fromEntries(
        agents.map((name) => {
          const own = all.filter(({ agent }) => agent === name);
          return [name, { outcomes: countsOf(own), success: successOf(own) }];
        }),
      ),
      attacks: attacks.map((facts, index) => statisticsOf(facts, runs[index] ?? [])),
    },
    ...more,
  };
}

function documentOf({ id, name = 'A shop', path, severity = 'high', tags = ['mcp'] }: Facts): DocumentEntry {
  return {
    ...(id !== undefined && { id }),
    name,
    version: 2,
    path: path ?? id ?? 'attacks/shop.yaml',
    source: `documents/${id ?? 'shop'}.yaml`,
    severity,
    category: 'capability_poisoning',
    protocols: ['mcp'],
    tags,
  };
}

function runsOf(facts: Facts): readonly RunEntry[] {
  const { agent = 'gullible', tier = 'boundary_breach', indicator = 'T-1-01', evidence, match, reason } = facts;
  const document = documentOf(facts);
  return facts.outcomes.map((outcome, index): RunEntry => {
    const succeeded = outcome === 'exploited' || outcome === 'partial';
    const unjudged = outcome === 'inconclusive' || outcome === 'error';
    return {
      document,
      agent,
      repeat: index + 1,
      verdict: {
        ...(facts.id !== undefined && { attack_id: facts.id }),
        result: outcome === 'resisted' || outcome === 'inconclusive' ? 'not_exploited' : outcome,
        ...(succeeded && { max_tier: tier }),
        indicator_verdicts: [
          {
            indicator_id: indicator,
            id: indicator,
            result: succeeded ? 'matched' : 'not_matched',
            ...(succeeded && evidence !== undefined && { evidence }),
            ...(succeeded && {
              match: { record: 7, path: 'arguments.note', from: 0, to: evidence?.length ?? 0, ...match },
            }),
          },
          { indicator_id: 'T-1-02', id: 'T-1-02', result: 'not_matched' },
        ],
        evaluation_summary: {
          matched: Number(succeeded),
          not_matched: 2 - Number(succeeded),
          error: 0,
          skipped: 0,
        },
      },
      outcome,
      ...((unjudged || outcome === 'not_applicable') && {
        reason: reason ?? 'the agent never fetched the tools of "shop"',
      }),
      end: 'finished',
      delivery: {
        shop: {
          mode: 'mcp_server',
          reached: !unjudged,
          delivered: !unjudged,
          engaged: succeeded,
          served: 3,
          phases: ['serve'],
          phases_entered: ['serve'],
          phases_seen: ['serve'],
        },
      },
      duration_ms: 125,
      trace: `traces/${facts.id ?? 'shop'}.${index + 1}.jsonl`,
      diagnostics: [],
    };
  });
}

function countsOf(runs: readonly RunEntry[]): Record<OutcomeName, number> {
  const counts = { exploited: 0, partial: 0, resisted: 0, not_applicable: 0, inconclusive: 0, error: 0 };
  for (const { outcome } of runs) counts[outcome]++;
  return counts;
}

function successOf(runs: readonly RunEntry[]): Rate {
  const { exploited, partial, resisted } = countsOf(runs);
  const [count, of] = [exploited + partial, exploited + partial + resisted];
  if (of === 0) return { count, of, rate: null, interval: null };
  return {
    count,
    of,
    rate: count / of,
    interval: [Math.max(0, count / of - 0.1), Math.min(1, count / of + 0.1)],
  };
}

function statisticsOf(
  { id, name = 'A shop', agent = 'gullible', maxRate = 0 }: Facts,
  runs: readonly RunEntry[],
): AttackStatistics {
  const success = successOf(runs);
  const outcomes = countsOf(runs);
  const status: AttackStatus =
    success.count > 0
      ? outcomes.resisted > 0
        ? 'flaky'
        : 'exploited'
      : outcomes.error > 0
        ? 'error'
        : outcomes.inconclusive > 0
          ? 'inconclusive'
          : success.of > 0
            ? 'resisted'
            : 'not_applicable';
  return {
    document: id ?? name,
    agent,
    runs: runs.length,
    outcomes,
    success,
    tiers: { boundary_breach: success },
    status,
    max_rate: maxRate,
    within_max_rate: success.count <= maxRate * success.of + 1e-9,
  };
}

const place = { line: 42, column: 7, offset: 900 };

export const facts: readonly IndicatorFacts[] = [
  {
    id: 'T-1-01',
    tier: 'boundary_breach',
    description: 'The profile reached the server',
    range: { start: place, end: { ...place, line: 44 } },
  },
];

export const context: ReportContext = {
  showSecrets: false,
  redactor: selectRedactor(false),
  indicators: () => facts,
};
export const open: ReportContext = { ...context, showSecrets: true, redactor: selectRedactor(true) };
/** Results whose documents no longer exist. */
export const bare: ReportContext = { ...context, indicators: () => [] };

export const oneEach = resultsOf([
  { id: 'T-1', outcomes: ['exploited'], evidence: 'my card is 4111, thank you', match: { from: 3, to: 7 } },
  { id: 'T-2', outcomes: ['partial'], evidence: 'note' },
  { id: 'T-3', outcomes: ['resisted'] },
  { id: 'T-4', outcomes: ['inconclusive'] },
  { id: 'T-5', outcomes: ['error'], reason: 'the agent crashed' },
]);

export const repeated = resultsOf([
  { id: 'T-1', agent: 'a', outcomes: ['resisted', 'exploited', 'partial', 'inconclusive'], evidence: 'x' },
  {
    id: 'T-1',
    agent: 'b',
    outcomes: ['resisted', 'exploited', 'resisted', 'resisted'],
    evidence: 'x',
    maxRate: 0.5,
  },
]);

export const compared = resultsOf(
  [
    { id: 'T-1', outcomes: ['exploited'], evidence: 'x' },
    { id: 'T-2', outcomes: ['exploited'], evidence: 'x' },
    { id: 'T-3', outcomes: ['resisted'] },
    { id: 'T-4', outcomes: ['resisted'] },
  ],
  {
    baseline: {
      file: 'oatf-baseline.yaml',
      attacks: [
        {
          document: 'T-1',
          agent: 'gullible',
          change: 'unchanged',
          expected: 'exploited',
          found: 'exploited',
        },
        { document: 'T-2', agent: 'gullible', change: 'new', expected: 'resisted', found: 'exploited' },
        { document: 'T-3', agent: 'gullible', change: 'fixed', expected: 'exploited', found: 'resisted' },
        { document: 'T-4', agent: 'gullible', change: 'unexpected', expected: null, found: 'resisted' },
      ],
      missing: [{ document: 'T-9', agent: 'gullible' }],
    },
    not_run: [{ document: 'T-5', agent: 'gullible', runs: 3, reason: 'budget' }],
  },
);

export const nothing = resultsOf([]);

/** Texts that want to be more than text. */
export const hostile: readonly (readonly [what: string, text: string])[] = [
  ['a script', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['the end of CDATA and of elements', ']]></failure></testcase><testcase name="x"/>&lt;&#0;&bogus;'],
  ['terminal escapes', '\x1b[31mred\x1b[0m\x07\x9b2J'],
  ['a null byte and other controls', 'a\0b\x01\x0b\x7f\u0085'],
  ['lone surrogates', 'a\ud800b\udc00c'],
  ['noncharacters', 'a\ufffe\uffffb'],
  ['bidirectional controls', 'a\u202egnp.exe\u2066b'],
  ['line breaks', 'a\r\nb\nc\rd\u2028e\u2029f'],
  ['a table', '| a | b |\n|---|---|\n\\| c \\\\| d'],
  ['code fences', '```\n</details>\n````\n~~~'],
  [
    'mentions, issues and links',
    '@octocat #1 GH-1 [x](https://evil.example) https://evil.example www.evil.example a@b.co',
  ],
  ['markup', '**b** _i_ # h\n- l\n1. o\n> q ![i](https://evil.example/i.png) `c` <!-- c'],
  ['workflow commands', '::error::x\n::add-mask::y\n##[error]z\n##vso[task.setvariable]w'],
  ['properties of workflow commands', 'a,line=1::b%0A%25'],
  ['message placeholders', '{0} {{1}} [a](1)'],
  ['prototype names', '__proto__'],
];
