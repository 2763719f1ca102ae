import { describe, expect, test } from 'vitest';
import type { Value, ValueMap } from '../../../../src/format/model/value.ts';
import { playPlan, server, text, tool, user } from './play-plan.ts';

const files = server('files', {
  tools: [
    tool('search', { structuredContent: { hits: [{ id: 7, name: 'a' }], total: 48.5 }, ...text('one hit') }),
    tool('read', text('ref 4411, due 2026-11-01')),
    tool('list', text('{"items": [{"id": "x-1"}]}')),
    tool('broken', { isError: true, ...text('no such file; see ticket T-9') }),
  ],
  resources: [{ uri: 'note://one', name: 'one', content: { text: 'The code is 77.' } }],
  prompts: [
    {
      name: 'letter',
      arguments: [{ name: 'to' }],
      responses: [{ content: { messages: [{ role: 'user', content: { type: 'text', text: 'Dear Ann' } }] } }],
    },
  ],
});
const mail = server('mail', { tools: [tool('send', text('sent')), tool('read', text('mail of Bob'))] });
const help = {
  name: 'help',
  mode: 'a2a_server',
  phases: [
    {
      name: 'serve',
      state: {
        agent_card: { name: 'Help desk', description: 'Helps.', version: '1', skills: [] },
        task_responses: [
          {
            content: {
              id: 'k1',
              contextId: 'c1',
              status: { state: 'completed' },
              artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'case 5501 is open' }] }],
            },
          },
        ],
      },
    },
  ],
} as unknown as ValueMap;
const actors = [files, mail, help, user(['Do it.'])];
const say = { say: 'Done.' };

describe('a built-in agent with a plan', () => {
  test.each<[string, readonly Value[], readonly string[], string]>([
    ['calls tools of the named server', [{ call: { actor: 'mail', tool: 'read' } }, say], ['mail.read {}'], 'Done.'],
    [
      'reads a resource',
      [{ call: { actor: 'files', resource: 'note://one' } }, { say: '{{1:/is (\\d+)/}}' }],
      ['files resources/read note://one'],
      '77',
    ],
    [
      'gets a prompt',
      [{ call: { actor: 'files', prompt: 'letter', arguments: { to: 'Ann' } } }, { say: '{{1:/.+/}}' }],
      ['files prompts/get letter'],
      'Dear Ann',
    ],
    [
      'sends a message to another agent',
      [{ send: { message: 'Which case?' } }, { say: '{{1:/case (\\d+)/}}' }],
      ['help [{"kind":"text","text":"Which case?"}]'],
      '5501',
    ],
    [
      'takes values of their type from structured content',
      [
        { call: { actor: 'files', tool: 'search' } },
        {
          call: {
            actor: 'mail',
            tool: 'send',
            arguments: { id: '{{1:$.hits[0].id}}', all: '{{1:$.hits}}', text: 'no. {{1:$.hits[0].id}}' },
          },
        },
        { say: 'It is {{1:$.total}}.' },
      ],
      ['files.search {}', 'mail.send {"id":7,"all":[{"id":7,"name":"a"}],"text":"no. 7"}'],
      'It is 48.5.',
    ],
    [
      'takes values from a text that is JSON',
      [{ call: { actor: 'files', tool: 'list' } }, { say: '{{1:$.items[0].id}}' }],
      ['files.list {}'],
      'x-1',
    ],
    [
      'takes the first group of a regular expression',
      [{ call: { actor: 'files', tool: 'read' } }, { say: '{{1:/ref (\\d{4}), due (.*)/}}' }],
      ['files.read {}'],
      '4411',
    ],
    [
      'takes values from an error',
      [{ call: { actor: 'files', tool: 'broken' } }, { say: '{{1:/ticket (\\S+)/}}' }],
      ['files.broken {}'],
      'T-9',
    ],
    [
      'leaves escaped braces alone',
      [{ call: { actor: 'files', tool: 'read' } }, { say: '\\{{1:$.x}}' }],
      ['files.read {}'],
      '{{1:$.x}}',
    ],
  ])('%s', async (_, plan, calls, said) => {
    const played = await playPlan(actors, plan);
    expect(played).toMatchObject({ calls, said: [said], warnings: [] });
  });

  test.each<[string, Value, string]>([
    ['whose path leads to nothing', { id: '{{1:$.nothing}}' }, '{{1:$.nothing}} was not found'],
    ['whose expression does not match', { id: '{{1:/order (\\d+)/}}' }, '{{1:/order (\\d+)/}} was not found'],
    ['whose path would take too many steps', { id: '{{1:$..[?@..[?@..*]]..*..*..nothing}}' }, 'was not found'],
  ])('skips a step %s, reports that and goes on', async (_, args, why) => {
    const plan = [
      { call: { actor: 'files', tool: 'read' } },
      { call: { actor: 'mail', tool: 'send', arguments: args } },
      { call: { actor: 'mail', tool: 'read' } },
      { say: 'Sent: {{2:/.+/}}.' },
    ];
    const { calls, said, warnings } = await playPlan(actors, plan);
    expect({ calls, said }).toEqual({ calls: ['files.read {}', 'mail.read {}'], said: ['Sent: [not found].'] });
    expect(warnings).toEqual([expect.stringMatching(/^O-119 x-plan, step 2 \(call\): /)]);
    expect(warnings[0]).toContain(why);
  });

  test('skips a call of a tool that its server does not offer now', async () => {
    const later = server('files', { tools: [] });
    const phases = [
      { name: 'first', state: { tools: [] }, trigger: { event: 'tools/call' } },
      ...((files.phases as ValueMap[]) ?? []),
    ];
    const { calls, warnings } = await playPlan(
      [{ ...later, phases }, user(['Do it.'])],
      [{ call: { tool: 'read' } }, say],
    );
    expect(calls).toEqual([]);
    expect(warnings).toContain('O-119 x-plan, step 1 (call): files offers no tool "read"');
  });

  test('calls a tool of the application, and goes on with its answer in the same turn', async () => {
    const plan = [
      { frontend: { tool: 'pick_day', arguments: { week: 45 } } },
      { call: { actor: 'mail', tool: 'send', arguments: { day: '{{1:$.day}}' } } },
      { say: 'Mail sent for {{1:$.day}}.' },
      { say: 'You are welcome.' },
    ];
    const shown = user(
      ['Do it.', 'Thanks.'],
      { tools: [{ name: 'pick_day', description: 'Shows a calendar.', parameters: { type: 'object' } }] },
      { tool_responses: [{ content: '{"day": "Friday"}' }] },
    );
    const { calls, said, warnings } = await playPlan([mail, shown], plan);
    expect({ calls, said, warnings }).toEqual({
      calls: ['mail.send {"day":"Friday"}'],
      said: ['Mail sent for Friday.', 'You are welcome.'],
      warnings: [],
    });
  });

  test('makes the steps behind each answer when its user speaks again, also in another thread', async () => {
    const plan = [
      { call: { actor: 'files', tool: 'read' } },
      { say: 'First.' },
      { call: { actor: 'mail', tool: 'send', arguments: { ref: '{{1:/ref (\\d+)/}}' } } },
      { say: 'Second.' },
    ];
    const twice = user(['One.', 'Two.']);
    const [first, second] = twice.phases as readonly ValueMap[];
    const [, other] = user(['One.', 'Two.'], { threadId: 't2' }).phases as readonly ValueMap[];
    for (const phases of [
      [first, second],
      [first, other],
    ]) {
      const { calls, said } = await playPlan([files, mail, { ...twice, phases } as unknown as ValueMap], plan);
      expect({ calls, said }).toEqual({
        calls: ['files.read {}', 'mail.send {"ref":"4411"}'],
        said: ['First.', 'Second.'],
      });
    }
  });

  test('says that nothing is left to do when its user says more than the plan has turns for', async () => {
    const { said } = await playPlan([files, user(['One.', 'Two.'])], [{ call: { tool: 'read' } }, say]);
    expect(said).toEqual(['Done.', 'Nothing is left to do.']);
  });

  test('lists its results when the plan does not say what to answer', async () => {
    const { said } = await playPlan([files, user(['Do it.'])], [{ call: { tool: 'read' } }]);
    expect(said).toEqual([expect.stringContaining('ref 4411')]);
  });
});

describe('a built-in agent without a plan', () => {
  test("goes by its user's words if x-plan belongs to another tool", async () => {
    const { calls } = await playPlan([files, user(['Please read the file with the tool read.'])], [], 'guarded', {
      'x-plan': undefined as never,
    });
    expect(calls).toEqual(['files.read {}']);
  });
});
