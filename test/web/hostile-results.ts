import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const attack = '</script><script>globalThis.pwned = 1</script><img src=x onerror="globalThis.pwned = 2">';
const lone = '\ud800 alone \udfff';
const terminal = '\u001b[2J\u001b]0;title\u0007';
const turned = '\u202egnp.exe\u2069';

export const hostile = { attack, lone, terminal, turned } as const;

const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;

/** Results in which every text that comes from others tries to be more than text. */
export function makeHostileResults(folder: string): void {
  for (const name of ['traces', 'documents']) mkdirSync(join(folder, name), { recursive: true });
  const base = {
    timestamp: `2026-01-01T00:00:00.000Z${attack}`,
    actor: `shop${attack}`,
    protocol: 'mcp',
    mode: `mcp_server${attack}`,
    phase: `open${attack}`,
    session: `session${attack}`,
    kind: 'request',
    origin: 'agent',
    method: `tools/call${attack}`,
    id: { [attack]: attack },
  };
  const content = {
    [attack]: attack,
    ['__proto__']: { polluted: true },
    constructor: terminal,
    lone,
    turned,
    long: 'x'.repeat(300_000),
    many: Array.from({ length: 50_000 }, (_, index) => index),
    href: `javascript:globalThis.pwned = 3`,
  };
  writeFileSync(
    join(folder, 'traces/hostile.jsonl'),
    [
      JSON.stringify({ seq: 0, ...base, content }),
      JSON.stringify({ seq: 1, ...base, content: null }).replace('"content":null', `"content":${deep}`),
      `${attack} is not JSON`,
      JSON.stringify({ seq: 3, ...base, kind: 'log', message: attack }),
      JSON.stringify({ seq: 4, ...base, content: attack }),
    ].join('\n'),
  );
  writeFileSync(join(folder, 'documents/hostile.yaml'), `# ${attack}\noatf: "0.1"\nattack:\n  name: ${turned}\n`);
  const run = {
    document: {
      id: `ID${attack}`,
      name: `${attack}${terminal}${lone}${turned}`,
      version: 1,
      path: attack,
      source: 'documents/hostile.yaml',
      severity: attack,
      category: attack,
      protocols: [attack],
      tags: [attack, '__proto__'],
    },
    agent: attack,
    repeat: 1,
    verdict: {
      result: attack,
      max_tier: attack,
      message: attack,
      indicator_verdicts: [
        {
          indicator_id: attack,
          result: 'matched',
          evidence: attack,
          match: { record: 0, path: 'lone', from: 0, to: 3 },
        },
        {
          indicator_id: 'whole',
          result: 'matched',
          evidence: attack,
          match: { record: 4, path: '', from: 0, to: 20 },
        },
      ],
    },
    outcome: 'exploited',
    reason: attack,
    end: attack,
    delivery: {
      [attack]: {
        mode: attack,
        trouble: attack,
        phases: [attack],
        phases_seen: [],
        phases_entered: [attack],
      },
    },
    duration_ms: 1,
    trace: 'traces/hostile.jsonl',
    diagnostics: [{ code: attack, message: attack, path: attack, severity: 'warning' }],
  };
  // A trace outside of the folder is not the report's to show.
  const elsewhere = { ...run, agent: 'other', trace: '../../../../../../etc/passwd' };
  writeFileSync(
    join(folder, 'results.json'),
    JSON.stringify({
      version: 1,
      tool: { name: attack, version: attack },
      agents: [],
      runs: [run, elsewhere],
    }),
  );
}
