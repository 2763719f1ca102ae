import { describe, expect, test } from 'vitest';
import { createCommandAgent, findCommandProblems } from '../../../../src/agents/adapters/command-agent.ts';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';

const rows: [problem: RegExp, target: CommandTarget][] = [
  [/^command: there is no program/, { command: '' }],
  [/^command: there is no program/, { command: [] }],
  [/^command: there is no program/, { command: [' ', 'x'] }],
  [/^command: "\|" needs a shell/, { command: 'agent | tee log' }],
  [/^command: a quotation mark/, { command: 'agent "half' }],
  [/^command: a NUL/, { command: ['agent', '\0'] }],
  [
    /^command: \{\{promt\}\} is unknown; known are \{\{prompt\}\}, .*\{\{actors\.NAME\.url\}\}, \{\{env\.NAME\}\}$/,
    { command: 'agent {{promt}}' },
  ],
  [/^command: \{\{prompt\}\} cannot be used here: it is not a program/, { command: '{{prompt}}' }],
  [/^command: \{\{env\.A-B\}\} is unknown/, { command: 'agent {{env.A-B}}' }],
  [/^env\.KEY: \{\{actors\.a b\.url\}\} is unknown/, { command: 'agent', env: { KEY: '{{actors.a b.url}}' } }],
  [/^env: "A=B"/, { command: 'agent', env: { 'A=B': '1' } }],
  [/^files\["a"\]: \{\{x\}\} is unknown; known are \{\{mcp_config\}\}/, { command: 'agent', files: { a: '{{x}}' } }],
  [
    /^files\["a"\]: \{\{prompt\}\} cannot be used here: files are written once/,
    { command: 'agent', files: { a: '{{prompt}}' } },
  ],
  [/^files: "\.\.\/a"/, { command: 'agent', files: { '../a': '' } }],
  [/^files: "a\/\.\.\/\.\.\/b"/, { command: 'agent', files: { 'a/../../b': '' } }],
  [/^files: "\/etc\/passwd"/, { command: 'agent', files: { '/etc/passwd': '' } }],
  [/^files: "a\/"/, { command: 'agent', files: { 'a/': '' } }],
  [/^files: ""/, { command: 'agent', files: { '': '' } }],
  [/^files: they are written into a new folder, but `cwd`/, { command: 'agent', files: { a: '' }, cwd: '.' }],
  [/^answer: "result" is not an RFC 9535 path/, { command: 'agent', output: 'json', answer: 'result' }],
  [/^answer: there are no paths in plain text/, { command: 'agent', answer: '$.result' }],
  [/^pieces: /, { command: 'agent', output: 'json', pieces: true }],
  [/^pieces: /, { command: 'agent', output: 'jsonl', pieces: true, turns: 'keep' }],
  [/^turns: .*jsonl or text/, { command: 'agent', output: 'json', turns: 'keep' }],
  [
    /^command: \{\{prompt\}\} cannot be used here: the program is launched once/,
    { command: 'agent {{prompt}}', turns: 'keep' },
  ],
  [/^followUp: there is no program/, { command: 'agent', followUp: ' ' }],
  [/^followUp: \{\{x\}\} is unknown/, { command: 'agent', followUp: 'agent {{x}}' }],
  [/^followUp: a program that is kept/, { command: 'agent', followUp: 'agent -c', turns: 'keep' }],
  [/^followUp: one of the two/, { command: 'agent {{prompt}}', followUp: 'agent -c' }],
  [/^stdin: /, { command: 'agent', turns: 'keep', stdin: 'nothing' }],
  [/^timeout: "soon" is not a duration; write 30s/, { command: 'agent', timeout: 'soon' }],
  [/^timeout: it must be longer than zero/, { command: 'agent', timeout: '0s' }],
  [/^maxOutput: "8 apples" is not a size; write 500kB, 8MB or 2GB/, { command: 'agent', maxOutput: '8 apples' }],
  [/^helpers: "\/bin\/gopls" is not the name of a program/, { command: 'agent', helpers: ['gopls', '/bin/gopls'] }],
  [/^maxMemory: "0MB" is not a size/, { command: 'agent', maxMemory: '0MB' }],
];

describe('findCommandProblems', () => {
  test.each(rows)('reports a target that cannot work: %s', (problem, target) => {
    expect(findCommandProblems(target)[0]).toMatch(problem);
    const make = () => createCommandAgent('mine', target, { environment: {}, folder: '.' });
    expect(make).toThrow(problem);
  });
});

test.each<[string, CommandTarget]>([
  ['only a command', { command: 'agent' }],
  [
    'every placeholder',
    {
      command:
        'agent {{prompt}} {{prompt_file}} {{input_file}} {{mcp_config}} {{mcp_servers}} {{mcp_servers.codex}} {{mcp_servers.opencode}} {{a2a_cards}} {{cwd}} {{config_folder}} {{actors.a-b_1.url}} {{env.A_1}}',
    },
  ],
  ['sizes and times', { command: 'agent', timeout: 'PT1M', maxOutput: '1.5MB', maxMemory: '512 mb' }],
  ['files in folders', { command: 'agent', files: { '.a/b/..c': '{{mcp_servers}}', './d': '' } }],
  ['a program that is kept', { command: 'agent', turns: 'keep', output: 'jsonl', answer: '$.a', stdin: 'input' }],
])('findCommandProblems: accepts a target with %s', (_, target) => {
  expect(findCommandProblems(target)).toEqual([]);
});
