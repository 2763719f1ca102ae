import { describe, expect, test } from 'vitest';
import type { CommandTarget } from '../../../src/agent/targets.ts';
import { program, talk, useOwnTemporaryFolder } from './support.ts';

// What is made of what a program says.

const temporary = useOwnTemporaryFolder();

type Row = [what: string, output: string, target: Partial<CommandTarget>, text: string, failure?: unknown];

const claude = '{"type":"result","result":"All done.","usage":{"input_tokens":3}}';

describe('the output of a launch', () => {
  const rows: Row[] = [
    ['text, trimmed', '\\n  Two\\nlines. \\n', {}, 'Two\nlines.'],
    [
      'text without colours, titles and links',
      '\\u001b[1;32mGreen\\u001b[0m \\u001b]0;title\\u0007and \\u001b]8;;http://x/?a b\\u001b\\\\a link\\u001b]8;;\\u001b\\\\\\u001b[2K',
      {},
      'Green and a link',
    ],
    ['nothing at all', ' \\n', {}, '', expect.stringContaining('nothing')],
    ['JSON with a path', claude, { output: 'json', answer: '$.result' }, 'All done.'],
    ['JSON, what is found is no text', claude, { output: 'json', answer: '$.usage' }, '{"input_tokens":3}'],
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
    const talked = await talk({ command: program('say', output), ...target });
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
      program: { exitCode: 7, stderr: 'a warning\nno such model\n' },
    });
  });
  test('it says more of a failure than what it wrote', async () => {
    const { failures } = await talk({ command: program('say', 'oops', '1'), output: 'json' });
    expect(failures).toEqual(['the program ended with exit code 1']);
  });
  test('each turn has its own', async () => {
    const { failures, program: facts } = await talk(
      { command: ['sh', '-c', 'test "$(cat)" = Two. && echo fine'] },
      ['One.', 'Two.'],
    );
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

describe('a program that cannot be run', () => {
  test.each<[string, CommandTarget, string]>([
    ['is not there', { command: 'no-such-agent --prompt {{prompt}}' }, 'there is no program "no-such-agent"'],
    ['is not at its path', { command: './no/such/agent' }, 'there is no program "./no/such/agent"'],
    [
      'is no program',
      { command: [new URL('support.ts', import.meta.url).pathname] },
      'is no program that may be run',
    ],
    ['has no folder', { command: 'node', cwd: 'no/such/folder' }, 'there is no folder'],
  ])('one that %s', async (_, target, reason) => {
    await expect(talk(target)).rejects.toThrow(reason);
    expect(temporary.left()).toEqual([]);
  });
});

describe('turns of one process', () => {
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
      [undefined, 'thrown: the program ended before all was said to it'],
    ],
    [
      'an end between turns',
      'ends after one',
      {},
      ['heard One.', ''],
      [undefined, expect.stringContaining('exit code 4')],
    ],
  ];
  test.each(rows)('%s', async (_, way, target, texts, failures) => {
    const talked = await talk({ command: program('lines', way), turns: 'keep', ...target }, [
      'One.',
      'Two\nlines.',
    ]);
    expect(talked).toMatchObject({ texts, failures });
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
      'it took longer than the 1 s of a turn, and was ended',
      'thrown: it took longer than the 1 s of a turn, and was ended',
    ]);
  });
});

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
    const talked = JSON.stringify(await talk(target, undefined, { environment }));
    expect(talked).not.toContain('sk-live');
    expect(talked).not.toContain('0123456789');
  });
  test('in the name of a program that is not there', async () => {
    const talked = talk({ command: 'no-{{env.AGENT_KEY}}' }, undefined, { environment });
    await expect(talked).rejects.toThrow('there is no program "no-******"');
  });
});
