import { expect, test } from 'vitest';
import { addUser } from '../../../src/format/extensions/add-user.ts';
import { load } from '../../../src/format/load.ts';

const documentOf = (execution: string): string =>
  `oatf: "0.1"\nattack:\n  name: N\n  execution:\n${execution.replaceAll(/^/gm, '    ')}\n`;

function actorsAfter(execution: string): readonly (readonly [string, string, readonly string[]])[] {
  const added = addUser(documentOf(execution), 'Say {{x}}.');
  const read = load(added.ok ? added.text : added.reason);
  if (!read.ok) throw new Error(read.errors[0]?.message);
  return read.document.attack.execution.actors.map(({ name, mode, phases }) => [
    name,
    mode,
    phases.map((phase) => phase.name),
  ]);
}

const user = ['user', 'ag_ui_client', ['ask']];
const twoPhases = 'phases: [{ name: a, state: {}, trigger: { after: 1s } }, { name: b, state: {} }]';

test.each<[form: string, execution: string, actors: readonly unknown[]]>([
  ['a state', 'mode: mcp_server\nstate: { tools: [] }\nx-wire: []', [user, ['server', 'mcp_server', ['serve']]]],
  ['phases', `mode: mcp_server\n${twoPhases}`, [user, ['server', 'mcp_server', ['a', 'b']]]],
  [
    'actors, one of which has the name user',
    'actors: [{ name: user, mode: mcp_server, phases: [{ name: s, state: {} }] }]',
    [
      ['user', 'mcp_server', ['s']],
      ['task_giver', 'ag_ui_client', ['ask']],
    ],
  ],
])('addUser gives a document with %s a user', (_, execution, actors) => {
  expect(actorsAfter(execution)).toEqual(actors);
});

test('addUser takes nothing in the task for a template', () => {
  const added = addUser(documentOf('# of the server\nmode: mcp_server\nstate: {}'), 'Say {{x}}.');
  expect(added).toMatchObject({ ok: true, text: expect.stringContaining('Say \\{{x}}.') });
});

test('addUser refuses a document that has a user', () => {
  const execution = 'actors: [{ name: u, mode: ag_ui_client, phases: [{ name: s, state: {} }] }]';
  expect(addUser(documentOf(execution), 'Hello.')).toEqual({ ok: false, reason: 'the document has a user already' });
});
