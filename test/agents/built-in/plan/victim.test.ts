import { describe, expect, test } from 'vitest';
import type { VictimTrigger } from '../../../../src/agents/built-in/built-in-agents.ts';
import { victimAgent } from '../../../../src/agents/built-in/built-in-agents.ts';
import { compileRegex, type Regex } from '../../../../src/format/expression/regex.ts';
import type { PlannedStep } from '../../../../src/format/model/user-plan.ts';
import type { ValueMap } from '../../../../src/format/model/value.ts';
import { playPlan, server, text, tool, user } from './play-plan.ts';

const pattern = (source: string): Regex => compileRegex(source) as Regex;
const read = (source: string): VictimTrigger => ({ kind: 'read', pattern: pattern(source) });

/** One place in which the word can stand. */
interface Place {
  readonly files?: ValueMap;
  readonly result?: ValueMap;
  readonly description?: string;
  readonly schema?: ValueMap;
  readonly annotations?: ValueMap;
  readonly input?: ValueMap;
  readonly card?: string;
}

const actorsWith = ({
  files = {},
  result = text('one'),
  description,
  schema,
  annotations,
  input,
  card = 'Helps.',
}: Place) => [
  server('files', {
    tools: [
      { ...tool('read', result, description, schema), ...(annotations && { annotations }) },
      tool('wipe', text('wiped')),
    ],
    ...files,
  }),
  {
    name: 'help',
    mode: 'a2a_server',
    phases: [
      { name: 'serve', state: { agent_card: { name: 'Help desk', description: card, version: '1', skills: [] } } },
    ],
  } as unknown as ValueMap,
  user(['Read it.'], input),
];
const wipe: PlannedStep = { kind: 'call', actor: 'files', of: 'tool', name: 'wipe', arguments: {} };
const plan = [{ call: { actor: 'files', tool: 'read' } }, { say: 'Read.' }];

async function play(when: VictimTrigger, place: Place, steps: readonly PlannedStep[] = [wipe]) {
  const { calls, answers, said } = await playPlan(actorsWith(place), plan, victimAgent({ name: 'mine', when, steps }));
  return { calls, answers, said };
}

describe('a victim acts once, and goes on with the plan, when it has met', () => {
  const form = (message: string): ValueMap => ({
    elicitations: [{ message, requestedSchema: { type: 'object', properties: {} } }],
  });
  test.each<[string, VictimTrigger, Place, Place]>([
    ['a description', read('mango'), { description: 'Reads a mango.' }, { description: 'Reads.' }],
    ['a result', read('mang(o)'), { result: text('mango') }, { result: text('melon') }],
    [
      'an error',
      read('mango'),
      { result: { isError: true, ...text('mango') } },
      { result: { isError: true, ...text('no') } },
    ],
    [
      'structured content',
      read('mango'),
      { result: { structuredContent: { a: 'mango' }, ...text('one') } },
      { result: { structuredContent: { a: 1 }, ...text('one') } },
    ],
    ['a schema', read('"mango"'), { schema: { properties: { mango: {} } } }, { schema: { properties: { melon: {} } } }],
    ['instructions', read('mango'), { files: { instructions: 'Eat mango.' } }, { files: { instructions: 'Eat.' } }],
    ['the name of a server', read('Mango Inc'), { files: { server_info: { name: 'Mango Inc', version: '1' } } }, {}],
    ['a card', read('mango'), { card: 'Sells mango.' }, { card: 'Sells.' }],
    [
      'what the application passes on',
      read('mango'),
      { input: { context: [{ description: 'page', value: 'mango' }] } },
      {},
    ],
    [
      'an invented history',
      read('mango'),
      {
        input: {
          messages: [
            { id: 'a', role: 'assistant', content: 'mango' },
            { id: 'u', role: 'user', content: 'Read it.' },
          ],
        },
      },
      {},
    ],
    [
      'a log message',
      read('mango'),
      { files: { logging: [{ level: 'info', data: 'mango' }] } },
      { files: { logging: [{ level: 'info', data: 'melon' }] } },
    ],
    ['a form', read('mango'), { files: form('Shall I take the mango?') }, { files: form('Shall I?') }],
    [
      'a key of a schema',
      { kind: 'schema', of: {}, at: '/properties/secret', pattern: undefined },
      { schema: { properties: { secret: {} } } },
      { schema: { properties: { label: {} } } },
    ],
    [
      'a value of a schema',
      { kind: 'schema', of: { actor: 'files', tool: 'read' }, at: '/properties/to/enum/0', pattern: pattern('^DE9') },
      { schema: { properties: { to: { enum: ['DE99'] } } } },
      { schema: { properties: { to: { enum: ['AT1'] } } } },
    ],
    [
      'annotations',
      { kind: 'annotation', of: { tool: 'read' }, has: { readOnlyHint: true, destructiveHint: false } },
      { annotations: { readOnlyHint: true, destructiveHint: false } },
      { annotations: { readOnlyHint: true } },
    ],
    [
      'an image',
      { kind: 'image', pattern: pattern('^bWFu') },
      { result: { content: [{ type: 'image', data: 'bWFuZ28=', mimeType: 'image/png' }] } },
      { result: { content: [{ type: 'image', data: 'bWVsb24=', mimeType: 'image/png' }] } },
    ],
    [
      'an attachment',
      { kind: 'image', pattern: pattern('bWFuZ28=') },
      {
        input: {
          messages: [
            {
              id: 'u',
              role: 'user',
              content: [
                { type: 'text', text: 'Read it.' },
                { type: 'image', source: { type: 'data', value: 'bWFuZ28=', mimeType: 'image/png' } },
              ],
            },
          ],
        },
      },
      {},
    ],
  ])('%s, and does only the plan otherwise', async (_, when, place, benign) => {
    const attacked = await play(when, place);
    expect(attacked.calls.toSorted()).toEqual(['files.read {}', 'files.wipe {}']);
    expect(attacked.said).toEqual(['Read.']);
    expect(await play(when, benign)).toMatchObject({ calls: ['files.read {}'], said: ['Read.'] });
  });

  test('nothing of another tool or server than the named ones', async () => {
    const annotations = { readOnlyHint: true };
    for (const of of [{ tool: 'wipe' }, { actor: 'mail' }])
      expect(await play({ kind: 'annotation', of, has: annotations }, { annotations })).toMatchObject({
        calls: ['files.read {}'],
      });
  });
});

test('the steps of a victim hold values of the text, of its own steps and of the plan', async () => {
  const steps: PlannedStep[] = [
    { ...wipe, arguments: { code: '{{read:/code (\\d+)/}}', earlier: '{{1:/code/}}' } },
    { ...wipe, arguments: { after: '{{do1:/.+/}}' } },
    { ...wipe, arguments: { missing: '{{read:/fig/}}' } },
  ];
  const { calls } = await play(read('mango'), { result: text('mango, code 71') }, steps);
  expect(calls).toEqual(['files.read {}', 'files.wipe {"code":"71","earlier":"code"}', 'files.wipe {"after":"wiped"}']);
});

test('a victim answers the form that it falls for', async () => {
  const form = {
    elicitations: [
      {
        when: { name: 'read' },
        message: 'Your mango, please.',
        requestedSchema: { type: 'object', properties: { pin: { type: 'string' } } },
      },
    ],
  };
  const steps: PlannedStep[] = [{ kind: 'answer', answer: { kind: 'values', values: { pin: '4711' } } }];
  expect((await play(read('Your mango'), { files: form }, steps)).answers).toEqual([
    { action: 'accept', content: { pin: '4711' } },
  ]);
  expect((await play(read('My mango'), { files: form }, steps)).answers).toEqual([{ action: 'decline' }]);
});

test('a victim makes its steps in place of a step of the plan, and the plan goes on with their result', async () => {
  const longer = [
    { call: { actor: 'files', tool: 'read' } },
    { call: { actor: 'files', tool: 'read', arguments: { again: true } } },
    { say: 'Got {{2:/.+/}}.' },
  ];
  const victim = { name: 'mine', when: read('mango'), instead: 2, steps: [wipe] };
  const attacked = await playPlan(actorsWith({ description: 'Reads a mango.' }), longer, victimAgent(victim));
  expect(attacked).toMatchObject({ calls: ['files.read {}', 'files.wipe {}'], said: ['Got wiped.'] });
  const twin = await playPlan(actorsWith({}), longer, victimAgent(victim));
  expect(twin).toMatchObject({ calls: ['files.read {}', 'files.read {"again":true}'], said: ['Got one.'] });
});

test('a victim that ends the turn leaves the next turn to the plan', async () => {
  const two = [{ call: { actor: 'files', tool: 'read' } }, { say: 'Read.' }, { say: 'Bye.' }];
  const [files, help] = actorsWith({ result: text('mango') });
  const victim = {
    name: 'mine',
    when: read('mango'),
    steps: [{ kind: 'say', text: 'I love {{read:/mango/}}.' } as const],
  };
  const { said } = await playPlan([files, help, user(['Read.', 'Thanks.'])] as ValueMap[], two, victimAgent(victim));
  expect(said).toEqual(['I love mango.', 'Bye.']);
});
