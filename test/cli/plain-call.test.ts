import { expect, test } from 'vitest';
import { plainCall } from './plain-call.ts';

const nothing = {
  folder: '.',
  environment: {},
  args: [],
  input: undefined,
  output: undefined,
  filter: undefined,
};

test.each([
  ['oatf', {}],
  [`oatf list 'a b' "c'd" --id=x`, { args: ['list', 'a b', "c'd", '--id=x'] }],
  ["oatf explain ''", { args: ['explain', ''] }],
  ['oatf explain "$ROOT/a.yaml"', { args: ['explain', '/root/a.yaml'] }],
  ["oatf explain '$ROOT'", { args: ['explain', '$ROOT'] }],
  [
    'cd sub/folder && A=1 B="2 3" C= oatf run',
    { folder: 'sub/folder', environment: { A: '1', B: '2 3', C: '' }, args: ['run'] },
  ],
  ['oatf trace - < /dev/null', { args: ['trace', '-'], input: '/dev/null' }],
  ['oatf list > "a b"', { args: ['list'], output: 'a b' }],
  ["oatf list | sort -r | grep -c 'a; b'", { args: ['list'], filter: "sort -r | grep -c 'a; b'" }],
])('plainCall parses a command that needs no shell: %s', (command, call) => {
  expect(plainCall(command, '/root')).toEqual({ ...nothing, ...call });
});

test.each([
  'oatf --version',
  'oatf list *.yaml',
  'oatf list ~',
  'oatf list "$HOME"',
  'oatf list "`pwd`"',
  'oatf list >> file',
  'exec oatf list',
  'oatf list 2>&1',
  'oatf list; true',
  'oatf list && oatf explain',
  'oatf list | oatf validate',
  'oatf list | tee one > two',
  'cat a | oatf list',
  'oatf list &',
  'oatf a\\ b',
])('plainCall leaves a command to the shell: %s', (command) => {
  expect(plainCall(command, '/root')).toBe(undefined);
});
