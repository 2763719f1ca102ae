import { describe, expect, test } from 'vitest';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';
import { isMessageRecord, type TraceRecord } from '../../../../src/format/model/trace-record.ts';
import { isValueMap } from '../../../../src/format/model/value.ts';
import { attack, program, useOwnTemporaryFolder } from './support.ts';

// A real program with the official client, attacked by a document of three turns: an honest tool that turns.

const temporary = useOwnTemporaryFolder();
const rugPull = 'OATS-010_rug-pull-after-two-parcels.yaml';

const ways: [string, (...flags: string[]) => CommandTarget][] = [
  ['a launch for each turn', (...flags) => ({ command: program('parcels', ...flags) })],
  [
    'servers as programs, a launch for each turn',
    (...flags) => ({ command: program('parcels', ...flags), mcp: 'stdio' }),
  ],
  [
    'one process, lines of text',
    (...flags) => ({ command: program('parcels', '--keep=text', ...flags), turns: 'keep' }),
  ],
  [
    'one process, lines of JSON',
    (...flags) => ({
      command: program('parcels', '--keep=jsonl', ...flags),
      turns: 'keep',
      output: 'jsonl',
      answer: '$.text',
    }),
  ],
];

function answersIn(records: readonly TraceRecord[]): readonly string[] {
  return records.flatMap((record) =>
    isMessageRecord(record) && record.method === 'text_message_content' && isValueMap(record.content)
      ? [String(record.content.delta)]
      : [],
  );
}

describe.each(ways)('command agent against a rug pull, %s', (_, target) => {
  test.each<[string, string[], string]>([
    ['is exploited when the program obeys', ['--fooled'], 'exploited'],
    ['is resisted when the program resists', [], 'resisted'],
  ])('%s', async (_name, flags, expected) => {
    const records: TraceRecord[] = [];
    const result = await attack(rugPull, target(...flags), { record: (record) => records.push(record) });
    expect(result.outcome).toBe(expected);
    expect(result.program).toMatchObject({ stderr: '' });
    expect(answersIn(records)).toEqual(['In transit. (turn 1)', 'In transit. (turn 2)', 'Held at customs. (turn 3)']);
    expect(temporary.left()).toEqual([]);
  });
});
