import { expect, test } from 'vitest';
import { addWork } from '../../../src/format/expression/counted-work.ts';
import { messageSteps } from '../../../src/format/expression/evaluation-limits.ts';
import { recorded, request, server, stepped, taking, warned } from '../../support/stepped.ts';

// Expressions for which no steps are left on a message. Here, reading `text` takes twice the steps that there are.

const regex = '[ab]{1,500}[cd]';
const long = {
  get text() {
    addWork(2 * messageSteps);
    return `${'a'.repeat(20_000)}c`;
  },
};
const match = { text: { regex } };
const rule = '/phases/0/x-wire/0';

test.each<[string, object, string]>([
  ['an extractor', { extractors: [taking('v', 'request', '$.text.none')] }, 'extractor "v"'],
  ['a trigger', { trigger: { event: 'm', match } }, 'the trigger'],
  [
    'the condition of a rule',
    { extensions: { 'x-wire': [{ on: 'm', when: match, drop: true }] } },
    `the \`when\` of ${rule}`,
  ],
])('%s that runs out of steps warns with O-107, decides nothing and leaves the run unjudged', (_, phase, what) => {
  const actor = stepped(server(), [{ state: {}, ...phase }, {}]);
  actor.start();
  const effects = actor.take({ ...request, params: long });
  expect(warned(effects)).toEqual([
    ['O-107', expect.stringContaining(`a, one: ${what} was not through with a message`)],
  ]);
  expect(recorded(effects).filter(({ kind }) => kind === 'log')).toStrictEqual([
    {
      kind: 'log',
      actor: 'a',
      phase: 'one',
      level: 'warn',
      message: expect.stringContaining(what),
      cause: 'unjudged',
    },
  ]);
  expect([actor.state().phase, actor.state().values]).toEqual([0, {}]);
  expect(effects.some(({ kind }) => kind === 'answer')).toBe(true);
});
