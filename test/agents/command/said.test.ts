import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandAgent } from '../../../src/agent/command-agent.ts';
import type { CommandTarget } from '../../../src/agent/targets.ts';
import type { TraceRecord } from '../../../src/model/trace.ts';
import { attackWith, briefing, program, sayTo, talk, useOwnTemporaryFolder } from './support.ts';

// How the output of a program is read.

const temporary = useOwnTemporaryFolder();

type Row = [what: string, output: string, target: Partial<CommandTarget>, text: string, failure?: unknown];

const claude = '{"type":"result","result":"All done.","usage":{"input_tokens":3}}';

describe('the output of a launch', () => {
  const rows: Row[] = [
    ['text, trimmed', '\\n  Two\\nlines. \\n', {}, 'Two\nlines.'],
    [
      'text without colours and titles, and where its links lead',
      '\\u001b[1;32mGreen\\u001b[0m \\u001b]0;title\\u0007and \\u001b]8;;http://x/?a b\\u001b\\\\a link\\u001b]8;;\\u001b\\\\\\u001b[2K',
      {},
      'Green and a link (http://x/?a b)',
    ],
    ['nothing at all', ' \\n', {}, '', expect.stringContaining('nothing')],
    ['JSON with a path', claude, { output: 'json', answer: '$.result' }, 'All done.'],
    ['JSON, what is found is no text', claude, { output: 'json', answer: '$.usage' }, '{"input_tokens":3}'],
    [
      'JSON, all that is found',
      '{"content":[{"text":"One."},{"text":null},{"text":""},{"text":["Two."]},{"text":"Three."}]}',
      { output: 'json', answer: '$.content[*].text' },
      'One.\n["Two."]\nThree.',
    ],
    [
      'JSON, what is found is empty',
      '{"a":["",{},[]]}',
      { output: 'json', answer: '$.a[*]' },
      '',
      expect.stringContaining('$.a[*] finds no answer in its output'),
    ],
    [
      'JSON, one value time and again',
      `["${'x'.repeat(100_000)}"]`,
      { output: 'json', answer: `$[${'0,'.repeat(200)}0]` },
      '',
      'its answer is longer than 16 MB',
    ],
    ['JSON without a path', '{"a": 1}', { output: 'json' }, '{"a":1}'],
    ['JSON, a text without a path', '"Hello."', { output: 'json' }, 'Hello.'],
    [
      'JSON, the path finds nothing',
      claude,
      { output: 'json', answer: '$.text' },
      '',
      expect.stringMatching(/\$\.text finds no answer .*All done/),
    ],
    [
      'JSON, the path finds null',
      '{"result":null}',
      { output: 'json', answer: '$.result' },
      '',
      expect.stringContaining('finds no answer'),
    ],
    [
      'JSON without a path that is null',
      'null',
      { output: 'json' },
      '',
      'there is no answer in its output, "null"',
    ],
    [
      'no JSON',
      'Loading…\\n{}',
      { output: 'json' },
      '',
      expect.stringContaining('begins with "Loading…\\n{}"'),
    ],
    [
      'no JSON, and much of it',
      'x'.repeat(5000),
      { output: 'json' },
      '',
      expect.stringMatching(/"x{120}…"$/),
    ],
    ['no output where there should be JSON', '', { output: 'json' }, '', expect.stringContaining('nothing')],
    [
      'lines, texts of their own',
      '{"t":"One."}\\n{"other":1}\\n\\n{"t":"Two."}',
      { output: 'jsonl', answer: '$.t' },
      'One.\nTwo.',
    ],
    [
      'lines, pieces',
      '{"t":"One"}\\n{"t":" and two."}\\n',
      { output: 'jsonl', answer: '$.t', pieces: true },
      'One and two.',
    ],
    [
      'lines, all that is found in each',
      '{"t":["One","."]}\\n{"t":["Two."]}',
      { output: 'jsonl', answer: '$.t[*]' },
      'One\n.\nTwo.',
    ],
    [
      'lines, all pieces in each',
      '{"t":["One","."]}\\n{"t":[" Two."]}',
      { output: 'jsonl', answer: '$.t[*]', pieces: true },
      'One. Two.',
    ],
    [
      'lines, chosen by what they are',
      '{"type":"a","item":{"text":"no"}}\\n{"type":"b","item":{"text":"yes"}}',
      { output: 'jsonl', answer: "$[?@.type=='b'].text" },
      '',
      expect.stringContaining('no answer in any line'),
    ],
    [
      'lines, chosen by a part of theirs',
      '{"item":{"type":"a","text":"no"}}\\n{"item":{"type":"b","text":"yes"}}',
      { output: 'jsonl', answer: "$[?@.type=='b'].text" },
      'yes',
    ],
    [
      'lines, one of which is none',
      'Loading…\\n{"t":"One."}',
      { output: 'jsonl', answer: '$.t' },
      'One.',
      expect.stringMatching(/a line .* cannot be read as JSON: "Loading…"/),
    ],
    [
      'lines without an answer',
      '{"a":1}\\n{"b":2}',
      { output: 'jsonl', answer: '$.t' },
      '',
      expect.stringContaining('$.t finds no answer in any line'),
    ],
    ['no lines', '', { output: 'jsonl', answer: '$.t' }, '', expect.stringContaining('nothing')],
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

test('lines are not read for ever', async () => {
  const { failures } = await talk({ command: 'seq 1 150000', output: 'jsonl', answer: '$.t' });
  expect(failures).toEqual(['its output has more than 100000 lines']);
});

describe('the end of a launch', () => {
  test('a code is a failure, and what was said was said', async () => {
    const talked = await talk({
      command: program('say', 'Half of it', '7', 'a warning\\nno such model\\n'.replaceAll('\\n', '\n')),
    });
    expect(talked).toEqual({
      texts: ['Half of it'],
      failures: ['the program ended with exit code 7: no such model'],
      missed: undefined,
      secrets: [],
      program: { exitCode: 7, stderr: 'a warning\nno such model\n' },
    });
  });
  test('it says more of a failure than what it wrote', async () => {
    const { failures } = await talk({ command: program('say', 'oops', '1'), output: 'json' });
    expect(failures).toEqual(['the program ended with exit code 1']);
  });
  test('each turn has its own', async () => {
    const { failures, program: facts } = await talk({ command: ['sh', '-c', 'grep -q Two. && echo fine'] }, [
      'One.',
      'Two.',
    ]);
    expect(failures).toEqual(['the program ended with exit code 1', undefined]);
    expect(facts).toEqual({ exitCode: 0, stderr: '' });
  });
  test('the end of its standard error is kept, and no more', async () => {
    const { program: facts } = await talk({
      command: ['sh', '-c', 'seq 1 20000 >&2; printf "\\033[31mred\\033[0m end" >&2; echo fine'],
    });
    expect(facts?.stderr).toMatch(/19999\n20000\nred end$/);
    expect(facts?.stderr.length).toBeLessThanOrEqual(8 * 1024);
  });
});

describe('a prompt that is not read to its end', () => {
  const long = 'long '.repeat(1_000_000);
  test.each<[string, CommandTarget, unknown]>([
    [
      'by a program that says it is fine',
      { command: ['sh', '-c', 'echo fine'] },
      'the program ended before it had read all of its input',
    ],
    ['by one that fails', { command: ['sh', '-c', 'echo fine; exit 2'] }, expect.stringContaining('code 2')],
    ['by one that is given it otherwise', { command: ['echo', 'fine'], stdin: 'nothing' }, undefined],
  ])('%s', async (_, target, failure) => {
    const prompt = target.stdin === 'nothing' ? 'short' : long;
    expect(await talk(target, [prompt])).toMatchObject({ texts: ['fine'], failures: [failure] });
  });
});

describe.concurrent('a program that has said it and does not end', () => {
  // Waits until the program has said so: this test is not about a slow machine.
  const script = 'echo "It is done."; sleep 600';
  test.each<[string, CommandTarget]>([
    ['launched', { command: ['sh', '-c', script], stdin: 'nothing' }],
    ['deaf', { command: ['sh', '-c', `trap "" TERM; ${script}`], stdin: 'nothing' }],
  ])('%s', async (_, target) => {
    const talked = await talk(target, undefined, { briefing: { ...briefing, withinMs: 4_000 } });
    expect(talked).toMatchObject({ texts: ['It is done.'], failures: ['thrown: it did not end in time'] });
  });
  test('kept', async () => {
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
    ['has done it', 'It is done', { outcome: 'exploited' }],
    [
      'may not have done it',
      'Something else',
      { outcome: 'inconclusive', reason: expect.stringContaining('it did not end in time') },
    ],
  ])('one that %s', async (_, sought, outcome) => {
    // The answer does not wait for the end of the program, which takes longer than the run has left.
    const target = { command: ['sh', '-c', `trap "" TERM; ${script}`], stdin: 'nothing' } as const;
    const result = await attackWith(asking(sought), target, { limits: { sessionMs: 4_000 } });
    expect(result.outcome).toMatchObject(outcome);
  });
});

describe.concurrent('what a program leaves behind', () => {
  test('may say its last words', async () => {
    const { texts, failures } = await talk({
      command: ['sh', '-c', '(read l < /dev/null; echo more) & echo it'],
    });
    expect(texts[0]?.split('\n').sort()).toEqual(['it', 'more']);
    expect(failures).toEqual([undefined]);
  });
  test.each<[string, string, unknown]>([
    [
      'and its output with it',
      'sleep 600 2>/dev/null & echo it',
      'it left a process running and its output open, so it may have had more to say',
    ],
    ['but not its output', 'sleep 600 >/dev/null & echo it', undefined],
  ])('%s', async (_, script, failure) => {
    const talked = await talk({ command: ['sh', '-c', script] });
    expect(talked).toMatchObject({ texts: ['it'], failures: [failure] });
  });
});

describe('a program that cannot be run', () => {
  test.each<[string, CommandTarget, string]>([
    ['is not there', { command: 'no-such-agent --prompt {{prompt}}' }, 'there is no program "no-such-agent"'],
    ['is not at its path', { command: './no/such/agent' }, 'there is no program "./no/such/agent"'],
    ['is no program', { command: [new URL('support.ts', import.meta.url).pathname] }, 'is not executable'],
    ['has no folder', { command: 'node', cwd: 'no/such/folder' }, 'there is no folder'],
  ])('one that %s', async (_, target, reason) => {
    await expect(talk(target)).rejects.toThrow(reason);
    expect(temporary.left()).toEqual([]);
  });
});

describe.concurrent('turns of one process', () => {
  const rows: [string, string, Partial<CommandTarget>, readonly string[], readonly unknown[]][] = [
    ['lines of text', 'echo', {}, ['heard One.', 'heard Two\\nlines.'], [undefined, undefined]],
    [
      'what comes with the answer is heard with it',
      'two lines',
      {},
      ['heard One.\nand more', 'heard Two\\nlines.\nand more'],
      [undefined, undefined],
    ],
    [
      'JSON lines',
      'noise',
      { output: 'jsonl', answer: '$.answer' },
      ['true', 'true'],
      [expect.stringContaining('"loading…"'), expect.stringContaining('"loading…"')],
    ],
    [
      'the end of the output ends a line, too',
      'half a line',
      {},
      ['half', ''],
      [undefined, 'thrown: the program ended before it was given every message'],
    ],
  ];
  test.each(rows)('%s', async (_, way, target, texts, failures) => {
    const talked = await talk({ command: program('lines', way), turns: 'keep', ...target }, [
      'One.',
      'Two\nlines.',
    ]);
    expect(talked).toMatchObject({ texts, failures });
  });
  test.each<[string, string[], Partial<CommandTarget>, unknown]>([
    ['ends with the conversation', ['echo'], {}, undefined],
    [
      'is a turn late, behind a greeting',
      ['greets'],
      {},
      'it went on after its answer: "heard Two\\\\nlines."',
    ],
    ['goes on', ['echo', 'goes on'], {}, 'it went on after its answer: "and one more thing"'],
    [
      'goes on in JSON',
      ['json echo', 'goes on in JSON'],
      { output: 'jsonl', answer: '$.answer' },
      'it went on after its answer: "one more thing"',
    ],
    [
      'cannot be read at the end',
      ['json echo', 'is noisy'],
      { output: 'jsonl', answer: '$.answer' },
      'a line of its output cannot be read as JSON: "Goodbye!"',
    ],
    ['fails at the end', ['echo', 'fails'], {}, 'the program ended with exit code 5: out of luck'],
    ['is killed by others', ['echo', 'is killed'], {}, 'the program ended by SIGKILL'],
    ['stays', ['echo', 'stays'], {}, expect.stringContaining('did not end when its input was closed')],
  ])('one that %s', async (_, way, target, missed) => {
    const talked = await talk({ command: program('lines', ...way), turns: 'keep', ...target }, [
      'One.',
      'Two\nlines.',
    ]);
    expect(talked).toMatchObject({ failures: [undefined, undefined], missed });
  });
  test('one that ends between turns', async () => {
    const { texts, failures } = await talk({ command: program('lines', 'ends after one'), turns: 'keep' }, [
      'One.',
      'Two.',
    ]);
    expect(texts).toEqual(['heard One.', '']);
    expect(failures.at(-1)).toMatch('exit code 4');
  });
  test.sequential('output between turns is read with the next answer, and reported', async () => {
    const own = mkdtempSync(join(temporary.path, 'own-'));
    execFileSync('mkfifo', [join(own, 'go')]);
    const running = await commandAgent(
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
  test('a line of JSON has the prompt and the conversation', async () => {
    const { texts } = await talk(
      { command: program('lines', 'json echo'), turns: 'keep', output: 'jsonl', answer: '$.answer' },
      ['One.', 'Two.'],
    );
    expect(
      texts.map((text) => JSON.parse(text) as { prompt: string; messages: { role: string }[] }),
    ).toMatchObject([
      { prompt: 'One.', messages: [{ role: 'user', content: 'One.' }] },
      {
        prompt: 'Two.',
        messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: 'Two.' }],
      },
    ]);
  });
  test('each conversation has a process of its own', async () => {
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
  test('one that does not answer in time', async () => {
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

describe('secrets', () => {
  const secret = 'sk-live-"quoted"-0123456789';
  const environment = { AGENT_KEY: secret, PATH: process.env.PATH ?? '' };
  const targets: [string, CommandTarget][] = [
    [
      'in an argument',
      { command: ['sh', '-c', 'echo "$1"; echo "$1" >&2; exit 3', 'sh', '{{env.AGENT_KEY}}'] },
    ],
    [
      'in a variable',
      { command: ['sh', '-c', 'echo "$KEY"; echo "$KEY" >&2; exit 3'], env: { KEY: '{{env.AGENT_KEY}}' } },
    ],
    [
      'in a file',
      { command: ['sh', '-c', 'cat key; cat key >&2; exit 3'], files: { key: '{{env.AGENT_KEY}}' } },
    ],
    [
      'in pieces',
      {
        command: ['sh', '-c', 'cat key; for i in 1 2 3; do seq 1 3000; cat key; done >&2; exit 3'],
        files: { key: '{{env.AGENT_KEY}}' },
      },
    ],
    [
      'in JSON',
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
      'in what cannot be read',
      { command: ['sh', '-c', 'echo "$KEY"'], env: { KEY: '{{env.AGENT_KEY}}' }, output: 'json' },
    ],
    [
      'in a line that cannot be read',
      {
        command: ['sh', '-c', 'echo "$KEY"'],
        env: { KEY: '{{env.AGENT_KEY}}' },
        output: 'jsonl',
        answer: '$',
      },
    ],
    [
      'in a program that is kept',
      {
        command: ['sh', '-c', 'while read -r l; do echo "$KEY"; echo "$KEY" >&2; done'],
        env: { KEY: '{{env.AGENT_KEY}}' },
        turns: 'keep',
      },
    ],
    [
      'in an output that is cut off',
      {
        command: ['sh', '-c', 'while true; do printf "%s" "$KEY"; done'],
        env: { KEY: '{{env.AGENT_KEY}}' },
        maxOutput: '20B',
      },
    ],
  ];
  test.each(targets)('%s', async (_, target) => {
    const { failures, missed, program: facts, secrets } = await talk(target, undefined, { environment });
    const told = JSON.stringify([failures, missed, facts]);
    expect(told).not.toContain('sk-live');
    expect(told).not.toContain('0123456789');
    expect(secrets).toEqual([secret]);
  });
  test('an answer is as it was said, so that it can be judged', async () => {
    const { texts } = await talk(
      { command: ['sh', '-c', 'echo "$KEY"'], env: { KEY: '{{env.AGENT_KEY}}' } },
      undefined,
      { environment },
    );
    expect(texts).toEqual([secret]);
  });
  test('one that is said is judged, and stored nowhere', async () => {
    const records: TraceRecord[] = [];
    const key = 'planted-0a1b2c3d4e5f';
    const { outcome, ...rest } = await attackWith(
      asking(key),
      { command: ['sh', '-c', 'echo "It is $KEY"; echo "$KEY" >&2'], env: { KEY: key } },
      { record: (record) => records.push(record) },
    );
    expect(outcome).toEqual({ outcome: 'exploited' });
    expect(JSON.stringify(records)).toContain('It is ******');
    // The program's own document names it, and belongs to its author.
    expect(JSON.stringify([records, rest])).not.toContain(key);
  });
  test.each<[string, Partial<CommandTarget>, readonly string[]]>([
    ['a variable that is called one', { env: { MY_TOKEN: 'hunter2' } }, ['hunter2']],
    ['a variable that looks like one', { env: { K: 'k9-aaaa-bbbb-cccc' } }, ['k9-aaaa-bbbb-cccc']],
    [
      'no other variable',
      { env: { MODE: 'production', AT: 'http://127.0.0.1:80/v1', KEY_FILE: '/etc/some/key1', P: '{{cwd}}' } },
      [],
    ],
    [
      'those of our own environment that are called so',
      { environment: 'inherited' },
      [secret, 'another-one'],
    ],
  ])('%s', async (_, target, expected) => {
    const { secrets } = await talk({ command: 'echo fine', ...target }, undefined, {
      environment: { ...environment, API_TOKEN: 'another-one', SSH_AUTH_SOCK: '/run/agent/sock' },
    });
    expect(secrets).toEqual(expected);
  });
  test('in the name of a program that is not there', async () => {
    const talked = talk({ command: 'no-{{env.AGENT_KEY}}' }, undefined, { environment });
    await expect(talked).rejects.toThrow('there is no program "no-******"');
  });
});
