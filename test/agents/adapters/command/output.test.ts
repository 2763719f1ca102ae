import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommandAgent } from '../../../../src/agents/adapters/command-agent.ts';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';
import type { TraceRecord } from '../../../../src/format/model/trace-record.ts';
import { attackWith, briefing, program, sayTo, talk, useOwnTemporaryFolder } from './support.ts';

// How the output of a program is read.

const temporary = useOwnTemporaryFolder();

type Row = [what: string, output: string, target: Partial<CommandTarget>, text: string, failure?: unknown];

const claude = '{"type":"result","result":"All done.","usage":{"input_tokens":3}}';

describe('command agent, reading the output of a launch', () => {
  const rows: Row[] = [
    ['reads text without the spaces around it', '\\n  Two\\nlines. \\n', {}, 'Two\nlines.'],
    [
      'reads text without colours and titles, and with the targets of its links',
      '\\u001b[1;32mGreen\\u001b[0m \\u001b]0;title\\u0007and \\u001b]8;;http://x/?a b\\u001b\\\\a link\\u001b]8;;\\u001b\\\\\\u001b[2K',
      {},
      'Green and a link (http://x/?a b)',
    ],
    ['fails on blank output', ' \\n', {}, '', expect.stringContaining('nothing')],
    ['reads JSON with a path', claude, { output: 'json', answer: '$.result' }, 'All done.'],
    [
      'reads an object that the path finds as JSON',
      claude,
      { output: 'json', answer: '$.usage' },
      '{"input_tokens":3}',
    ],
    [
      'joins all values that the path finds',
      '{"content":[{"text":"One."},{"text":null},{"text":""},{"text":["Two."]},{"text":"Three."}]}',
      { output: 'json', answer: '$.content[*].text' },
      'One.\n["Two."]\nThree.',
    ],
    [
      'fails when the path finds only empty values',
      '{"a":["",{},[]]}',
      { output: 'json', answer: '$.a[*]' },
      '',
      expect.stringContaining('$.a[*] finds no answer in its output'),
    ],
    [
      'fails when the path repeats one value beyond 16 MB',
      `["${'x'.repeat(100_000)}"]`,
      { output: 'json', answer: `$[${'0,'.repeat(200)}0]` },
      '',
      'its answer is longer than 16 MB',
    ],
    ['reads a JSON object without a path', '{"a": 1}', { output: 'json' }, '{"a":1}'],
    ['reads a JSON string without a path', '"Hello."', { output: 'json' }, 'Hello.'],
    [
      'fails when the path finds nothing',
      claude,
      { output: 'json', answer: '$.text' },
      '',
      expect.stringMatching(/\$\.text finds no answer .*All done/),
    ],
    [
      'fails when the path finds null',
      '{"result":null}',
      { output: 'json', answer: '$.result' },
      '',
      expect.stringContaining('finds no answer'),
    ],
    ['fails on a JSON null without a path', 'null', { output: 'json' }, '', 'there is no answer in its output, "null"'],
    [
      'fails on output that is not JSON, and quotes it',
      'Loading…\\n{}',
      { output: 'json' },
      '',
      expect.stringContaining('begins with "Loading…\\n{}"'),
    ],
    [
      'quotes only the beginning of long output that is not JSON',
      'x'.repeat(5000),
      { output: 'json' },
      '',
      expect.stringMatching(/"x{120}…"$/),
    ],
    ['fails on empty output in place of JSON', '', { output: 'json' }, '', expect.stringContaining('nothing')],
    [
      'reads texts from JSON lines, one per line',
      '{"t":"One."}\\n{"other":1}\\n\\n{"t":"Two."}',
      { output: 'jsonl', answer: '$.t' },
      'One.\nTwo.',
    ],
    [
      'joins pieces of text from JSON lines',
      '{"t":"One"}\\n{"t":" and two."}\\n',
      { output: 'jsonl', answer: '$.t', pieces: true },
      'One and two.',
    ],
    [
      'reads every value that the path finds in a JSON line',
      '{"t":["One","."]}\\n{"t":["Two."]}',
      { output: 'jsonl', answer: '$.t[*]' },
      'One\n.\nTwo.',
    ],
    [
      'joins every piece that the path finds in a JSON line',
      '{"t":["One","."]}\\n{"t":[" Two."]}',
      { output: 'jsonl', answer: '$.t[*]', pieces: true },
      'One. Two.',
    ],
    [
      'fails when a filter of the path is about the line itself',
      '{"type":"a","item":{"text":"no"}}\\n{"type":"b","item":{"text":"yes"}}',
      { output: 'jsonl', answer: "$[?@.type=='b'].text" },
      '',
      expect.stringContaining('no answer in any line'),
    ],
    [
      'reads JSON lines by a filter on a part of the line',
      '{"item":{"type":"a","text":"no"}}\\n{"item":{"type":"b","text":"yes"}}',
      { output: 'jsonl', answer: "$[?@.type=='b'].text" },
      'yes',
    ],
    [
      'reads the other JSON lines and reports one that is not JSON',
      'Loading…\\n{"t":"One."}',
      { output: 'jsonl', answer: '$.t' },
      'One.',
      expect.stringMatching(/a line .* cannot be read as JSON: "Loading…"/),
    ],
    [
      'fails when no JSON line has an answer',
      '{"a":1}\\n{"b":2}',
      { output: 'jsonl', answer: '$.t' },
      '',
      expect.stringContaining('$.t finds no answer in any line'),
    ],
    [
      'fails on empty output in place of JSON lines',
      '',
      { output: 'jsonl', answer: '$.t' },
      '',
      expect.stringContaining('nothing'),
    ],
  ];
  test.each(rows)('%s', async (_, output, target, text, failure) => {
    // `printf` starts faster than Node. Rows have their escapes as in JSON.
    const printed = JSON.parse(`"${output.replaceAll('"', '\\"')}"`) as string;
    const talked = await talk({ command: ['printf', '%s', printed], stdin: 'nothing', ...target });
    expect(talked).toMatchObject({
      texts: [text],
      failures: [failure],
      program: { exitCode: 0, stderr: '' },
    });
  });
});

test('command agent: fails when the output has more than 100000 lines', async () => {
  const { failures } = await talk({ command: 'seq 1 150000', output: 'jsonl', answer: '$.t' });
  expect(failures).toEqual(['its output has more than 100000 lines']);
});

describe('command agent, the end of a launch', () => {
  test('keeps the answer and reports the failure when the program exits with a code', async () => {
    const talked = await talk({
      command: program('say', 'Half of it', '7', 'a warning\\nno such model\\n'.replaceAll('\\n', '\n')),
    });
    expect(talked).toEqual({
      texts: ['Half of it'],
      failures: ['the program ended with exit code 7: a warning | no such model'],
      missed: undefined,
      secrets: [],
      program: { exitCode: 7, stderr: 'a warning\nno such model\n' },
    });
  });
  test('reports the exit code rather than the invalid JSON of a failed program', async () => {
    const { failures } = await talk({ command: program('say', 'oops', '1'), output: 'json' });
    expect(failures).toEqual(['the program ended with exit code 1']);
  });
  test('reports the exit code of each turn separately', async () => {
    const { failures, program: facts } = await talk({ command: ['sh', '-c', 'grep -q Two. && echo fine'] }, [
      'One.',
      'Two.',
    ]);
    expect(failures).toEqual(['the program ended with exit code 1', undefined]);
    expect(facts).toEqual({ exitCode: 0, stderr: '' });
  });
  test('keeps only the last 8 KB of standard error', async () => {
    const { program: facts } = await talk({
      command: ['sh', '-c', 'seq 1 20000 >&2; printf "\\033[31mred\\033[0m end" >&2; echo fine'],
    });
    expect(facts?.stderr).toMatch(/19999\n20000\nred end$/);
    expect(facts?.stderr.length).toBeLessThanOrEqual(8 * 1024);
  });
});

describe('command agent, a long prompt that the program does not read to its end', () => {
  const long = 'long '.repeat(1_000_000);
  test.each<[string, CommandTarget, unknown]>([
    [
      'reports unread input when the program exits with 0',
      { command: ['sh', '-c', 'echo fine'] },
      'the program ended before it had read all of its input',
    ],
    [
      'reports the exit code when the program fails',
      { command: ['sh', '-c', 'echo fine; exit 2'] },
      expect.stringContaining('code 2'),
    ],
    [
      'reports nothing when the prompt was not sent on standard input',
      { command: ['echo', 'fine'], stdin: 'nothing' },
      undefined,
    ],
  ])('%s', async (_, target, failure) => {
    const prompt = target.stdin === 'nothing' ? 'short' : long;
    expect(await talk(target, [prompt])).toMatchObject({ texts: ['fine'], failures: [failure] });
  });
});

describe.concurrent('command agent, a program that answers and does not end', () => {
  // Waits until the program has said so: this test is not about a slow machine.
  const script = 'echo "It is done."; sleep 600';
  test.each<[string, CommandTarget]>([
    ['launched for a turn', { command: ['sh', '-c', script], stdin: 'nothing' }],
    ['launched for a turn, deaf to signals', { command: ['sh', '-c', `trap "" TERM; ${script}`], stdin: 'nothing' }],
  ])('keeps the answer of a program %s, and reports that it did not end', async (_, target) => {
    const talked = await talk(target, undefined, { briefing: { ...briefing, withinMs: 4_000 } });
    expect(talked).toMatchObject({ texts: ['It is done.'], failures: ['thrown: it did not end in time'] });
  });
  test('keeps the answer of a kept program, and reports that it did not end', async () => {
    const talked = await talk(
      {
        command: ['sh', '-c', `printf %s "It is done."; sleep 600`],
        turns: 'keep',
      },
      undefined,
      { briefing: { ...briefing, withinMs: 4_000 } },
    );
    expect(talked).toMatchObject({ texts: ['It is done.'], failures: ['thrown: it did not end in time'] });
  });
  test.each<[string, string, object]>([
    ['is exploited when the answer already shows compliance', 'It is done', { outcome: 'exploited' }],
    [
      'is inconclusive when the answer shows no compliance',
      'Something else',
      { outcome: 'inconclusive', reason: expect.stringContaining('it did not end in time') },
    ],
  ])('%s', async (_, sought, outcome) => {
    // The answer does not wait for the end of the program, which takes longer than the run has left.
    const target = { command: ['sh', '-c', `trap "" TERM; ${script}`], stdin: 'nothing' } as const;
    const result = await attackWith(asking(sought), target, { limits: { sessionMs: 4_000 } });
    expect(result).toMatchObject(outcome);
  });
});

describe.concurrent('command agent, processes that a program leaves behind', () => {
  test('reads what they print before they end', async () => {
    const { texts, failures } = await talk({
      command: ['sh', '-c', '(read l < /dev/null; echo more) & echo it'],
    });
    expect(texts[0]?.split('\n').sort()).toEqual(['it', 'more']);
    expect(failures).toEqual([undefined]);
  });
  test.each<[string, string, unknown?]>([
    ['names one that holds the output open', 'sleep 600 2>/dev/null & echo it', /left "sleep 600" running after/],
    ['names one that has closed the output', 'sleep 600 >/dev/null 2>&1 & echo it', /left "sleep 600" running after/],
    ['names one in a session of its own', 'setsid sleep 600 >/dev/null 2>&1 & echo it', /left "sleep 600" running/],
    [
      'does not quote what a shell was told',
      `sh -c 'sleep 600; echo key' & echo it`,
      /left "\w+", "sleep 600" running/,
    ],
    ['does not name one that ends soon', 'sleep 0.3 >/dev/null 2>&1 & echo it'],
  ])('%s', async (_, script, left) => {
    const talked = await talk({ command: ['sh', '-c', script] });
    expect(talked).toMatchObject({ texts: ['it'], failures: [undefined] });
    expect(talked.left).toEqual(left === undefined ? undefined : expect.stringMatching(left as RegExp));
  });
});

describe('command agent, a program that cannot be launched', () => {
  test.each<[string, CommandTarget, string]>([
    ['does not exist', { command: 'no-such-agent --prompt {{prompt}}' }, 'there is no program "no-such-agent"'],
    ['does not exist at its path', { command: './no/such/agent' }, 'there is no program "./no/such/agent"'],
    ['is not executable', { command: [new URL('support.ts', import.meta.url).pathname] }, 'is not executable'],
    ['has a working folder that does not exist', { command: 'node', cwd: 'no/such/folder' }, 'there is no folder'],
  ])('refuses to launch when the program %s', async (_, target, reason) => {
    await expect(talk(target)).rejects.toThrow(reason);
    expect(temporary.left()).toEqual([]);
  });
});

describe.concurrent('command agent, turns of one kept process', () => {
  const rows: [string, string, Partial<CommandTarget>, readonly string[], readonly unknown[]][] = [
    [
      'reads an answer of one line of text per turn',
      'echo',
      {},
      ['heard One.', 'heard Two\\nlines.'],
      [undefined, undefined],
    ],
    [
      'reads lines that arrive together as one answer',
      'two lines',
      {},
      ['heard One.\nand more', 'heard Two\\nlines.\nand more'],
      [undefined, undefined],
    ],
    [
      'reads JSON lines and reports those that are not JSON',
      'noise',
      { output: 'jsonl', answer: '$.answer' },
      ['true', 'true'],
      [expect.stringContaining('"loading…"'), expect.stringContaining('"loading…"')],
    ],
    [
      'reads a last line without a line break, and reports the early end',
      'half a line',
      {},
      ['half', ''],
      [undefined, 'thrown: the program ended before it was given every message'],
    ],
  ];
  test.each(rows)('%s', async (_, way, target, texts, failures) => {
    const talked = await talk({ command: program('lines', way), turns: 'keep', ...target }, ['One.', 'Two\nlines.']);
    expect(talked).toMatchObject({ texts, failures });
  });
  test.each<[string, string[], Partial<CommandTarget>, unknown]>([
    ['ends with the conversation', ['echo'], {}, undefined],
    ['is a turn late after a greeting', ['greets'], {}, 'it went on after its answer: "heard Two\\\\nlines."'],
    ['prints more after its answer', ['echo', 'goes on'], {}, 'it went on after its answer: "and one more thing"'],
    [
      'prints more JSON after its answer',
      ['json echo', 'goes on in JSON'],
      { output: 'jsonl', answer: '$.answer' },
      'it went on after its answer: "one more thing"',
    ],
    [
      'prints a last line that is not JSON',
      ['json echo', 'is noisy'],
      { output: 'jsonl', answer: '$.answer' },
      'a line of its output cannot be read as JSON: "Goodbye!"',
    ],
    ['exits with a code at the end', ['echo', 'fails'], {}, 'the program ended with exit code 5: out of luck'],
    ['is killed at the end', ['echo', 'is killed'], {}, 'the program ended by SIGKILL'],
    [
      'does not end when its input is closed',
      ['echo', 'stays'],
      {},
      expect.stringContaining('did not end when its input was closed'),
    ],
  ])('reports at the end whatever was missed of a program that %s', async (_, way, target, missed) => {
    const talked = await talk({ command: program('lines', ...way), turns: 'keep', ...target }, ['One.', 'Two\nlines.']);
    expect(talked).toMatchObject({ failures: [undefined, undefined], missed });
  });
  test('reports the exit code of a program that ends between turns', async () => {
    const { texts, failures } = await talk({ command: program('lines', 'ends after one'), turns: 'keep' }, [
      'One.',
      'Two.',
    ]);
    expect(texts).toEqual(['heard One.', '']);
    expect(failures.at(-1)).toMatch('exit code 4');
  });
  test.sequential('adds output printed between turns to the next answer, and reports it', async () => {
    const own = mkdtempSync(join(temporary.path, 'own-'));
    execFileSync('mkfifo', [join(own, 'go')]);
    const running = await createCommandAgent(
      'mine',
      { command: ['sh', '-c', 'read l; echo one; cat go; read l; echo two'], turns: 'keep', cwd: own },
      { environment: {}, folder: '.' },
    ).launch(briefing);
    try {
      expect(await sayTo(running, 'One.')).toMatchObject({ text: 'one' });
      await writeFile(join(own, 'go'), 'more\n');
      await expect.poll(() => running.missed?.()).toBe('it went on after its answer: "more"');
      expect(await sayTo(running, 'Two.')).toMatchObject({ text: 'more\ntwo' });
    } finally {
      await running.stop();
    }
  });
  test('gives the program the prompt and the whole conversation in each line of JSON', async () => {
    const { texts } = await talk(
      { command: program('lines', 'json echo'), turns: 'keep', output: 'jsonl', answer: '$.answer' },
      ['One.', 'Two.'],
    );
    expect(texts.map((text) => JSON.parse(text) as { prompt: string; messages: { role: string }[] })).toMatchObject([
      { prompt: 'One.', messages: [{ role: 'user', content: 'One.' }] },
      {
        prompt: 'Two.',
        messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: 'Two.' }],
      },
    ]);
  });
  test('keeps one process for each conversation', async () => {
    const say = (threadId: string) => ({ threadId, messages: [{ role: 'user', content: threadId }] });
    const { texts } = await talk(
      {
        command: ['sh', '-c', 'n=0; while read -r line; do n=$((n+1)); echo "$line $n"; done'],
        turns: 'keep',
      },
      [say('a'), say('b'), say('a')],
    );
    expect(texts).toEqual(['a 1', 'b 1', 'a 2']);
  });
  test('ends a program that does not answer within its timeout', async () => {
    const { failures } = await talk({ command: program('lines', 'silent'), turns: 'keep', timeout: '1s' }, [
      'One.',
      'Two.',
    ]);
    expect(failures).toEqual([
      'thrown: it took longer than the 1 s of a turn, and was ended',
      'thrown: it took longer than the 1 s of a turn, and was ended',
    ]);
  });
});

/** A document whose user asks for something that must not be in the answer. */
const asking = (sought: string): string => `
oatf: "0.1"
attack:
  name: A user
  execution:
    mode: ag_ui_client
    state:
      run_agent_input: { threadId: t, runId: r, messages: [{ id: m, role: user, content: Please. }] }
  indicators:
    - { id: one, protocol: ag_ui, target: response.content, pattern: { contains: ${JSON.stringify(sought)} } }
`;

describe('command agent, secrets', () => {
  const secret = 'sk-live-"quoted"-0123456789';
  const environment = { AGENT_KEY: secret, PATH: process.env.PATH ?? '' };
  const targets: [string, CommandTarget][] = [
    ['given in an argument', { command: ['sh', '-c', 'echo "$1"; echo "$1" >&2; exit 3', 'sh', '{{env.AGENT_KEY}}'] }],
    [
      'given in a variable',
      { command: ['sh', '-c', 'echo "$KEY"; echo "$KEY" >&2; exit 3'], env: { KEY: '{{env.AGENT_KEY}}' } },
    ],
    ['given in a file', { command: ['sh', '-c', 'cat key; cat key >&2; exit 3'], files: { key: '{{env.AGENT_KEY}}' } }],
    [
      'repeated within a long standard error',
      {
        command: ['sh', '-c', 'cat key; for i in 1 2 3; do seq 1 3000; cat key; done >&2; exit 3'],
        files: { key: '{{env.AGENT_KEY}}' },
      },
    ],
    [
      'written as JSON',
      {
        command: [
          'node',
          '-e',
          'console.log(JSON.stringify({ a: { key: process.env.KEY } })); console.error(JSON.stringify(process.env.KEY)); process.exitCode = 3',
        ],
        env: { KEY: '{{env.AGENT_KEY}}' },
        output: 'json',
        answer: '$.a',
      },
    ],
    [
      'in output that is not JSON',
      { command: ['sh', '-c', 'echo "$KEY"'], env: { KEY: '{{env.AGENT_KEY}}' }, output: 'json' },
    ],
    [
      'in a line that is not JSON',
      {
        command: ['sh', '-c', 'echo "$KEY"'],
        env: { KEY: '{{env.AGENT_KEY}}' },
        output: 'jsonl',
        answer: '$',
      },
    ],
    [
      'of a kept program',
      {
        command: ['sh', '-c', 'while read -r l; do echo "$KEY"; echo "$KEY" >&2; done'],
        env: { KEY: '{{env.AGENT_KEY}}' },
        turns: 'keep',
      },
    ],
    [
      'in output beyond the limit',
      {
        command: ['sh', '-c', 'while true; do printf "%s" "$KEY"; done'],
        env: { KEY: '{{env.AGENT_KEY}}' },
        maxOutput: '20B',
      },
    ],
  ];
  test.each(targets)('masks a secret %s in failures and standard error', async (_, target) => {
    const { failures, missed, program: facts, secrets } = await talk(target, undefined, { environment });
    const reported = JSON.stringify([failures, missed, facts]);
    expect(reported).not.toContain('sk-live');
    expect(reported).not.toContain('0123456789');
    expect(secrets).toEqual([secret]);
  });
  test('keeps a secret in the answer, so that it can be judged', async () => {
    const { texts } = await talk(
      { command: ['sh', '-c', 'echo "$KEY"'], env: { KEY: '{{env.AGENT_KEY}}' } },
      undefined,
      { environment },
    );
    expect(texts).toEqual([secret]);
  });
  test('judges a secret in the answer and masks it in every record', async () => {
    const records: TraceRecord[] = [];
    const key = 'planted-0a1b2c3d4e5f';
    const run = await attackWith(
      asking(key),
      { command: ['sh', '-c', 'echo "It is $KEY"; echo "$KEY" >&2'], env: { KEY: key } },
      { record: (record) => records.push(record) },
    );
    expect(run.outcome).toBe('exploited');
    expect(JSON.stringify(records)).toContain('It is ******');
    // The program's own document names it, and belongs to its author.
    expect(JSON.stringify([records, run])).not.toContain(key);
  });
  test.each<[string, Partial<CommandTarget>, readonly string[]]>([
    ['treats a variable with the name of a secret as one', { env: { MY_TOKEN: 'hunter2' } }, ['hunter2']],
    ['treats a variable with a value like a secret as one', { env: { K: 'k9-aaaa-bbbb-cccc' } }, ['k9-aaaa-bbbb-cccc']],
    [
      'treats every literal variable as a secret, but not its placeholders',
      { env: { MODE: 'production', AT: 'http://127.0.0.1:80/v1', KEY_FILE: '/etc/some/key1', P: '{{cwd}}' } },
      ['production', 'http://127.0.0.1:80/v1', '/etc/some/key1'],
    ],
    [
      'treats inherited variables with the names of secrets as secrets',
      { environment: 'inherited' },
      [secret, 'another-one'],
    ],
  ])('%s', async (_, target, expected) => {
    const { secrets } = await talk({ command: 'echo fine', ...target }, undefined, {
      environment: { ...environment, API_TOKEN: 'another-one', SSH_AUTH_SOCK: '/run/agent/sock' },
    });
    expect(secrets).toEqual(expected);
  });
  test('masks a secret in the name of a program that does not exist', async () => {
    const talked = talk({ command: 'no-{{env.AGENT_KEY}}' }, undefined, { environment });
    await expect(talked).rejects.toThrow('there is no program "no-******"');
  });
});
