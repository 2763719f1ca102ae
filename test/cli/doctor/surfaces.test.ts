import { expect, test } from 'vitest';
import { describeSurfaces } from '../../../src/cli/doctor/check-surfaces.ts';
import { createFindingMaker } from '../../../src/cli/doctor/doctor-finding.ts';
import { greetingServer, loadGreeting, loadTour } from '../../../src/cli/doctor/greeting.ts';

function reported(used: readonly string[], answer = '', claimed: readonly string[] = []): readonly string[] {
  return describeSurfaces(createFindingMaker('mine'), new Set(used), answer, claimed).map(
    ({ status, says, advice }) => `${status}: ${says}${advice === undefined ? '' : ` -> ${advice.split(': ').at(-1)}`}`,
  );
}

const everything = ['tools', 'resources', 'prompts', 'elicitation', 'sampling', 'list-changes'];

test.each<[title: string, lines: readonly string[], expected: readonly string[]]>([
  [
    'an agent that used only tools',
    reported(['tools']),
    [
      'ok: surfaces: it has tools',
      'note: surfaces: its client declares no elicitation, sampling; it did not use resources, prompts, list-changes when asked to -> [resources, prompts, elicitation, sampling, list-changes]',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
  [
    'an agent that used everything and quoted the instructions',
    reported(everything, 'The word is Marigold.'),
    [
      'ok: surfaces: it has tools, resources, prompts, instructions, elicitation, sampling, list-changes',
      'note: surfaces: nothing shows whether it has progress, push',
    ],
  ],
  [
    'an agent without the surfaces that its configuration excludes',
    reported(everything.slice(0, 5), '', ['list-changes', 'push']),
    [
      'ok: surfaces: it has tools, resources, prompts, elicitation, sampling',
      'note: surfaces: it did not use list-changes when asked to, as its configuration says',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
  [
    'an agent that used a surface that its configuration excludes',
    reported(everything, '', ['resources', 'push']),
    [
      'ok: surfaces: it has tools, resources, prompts, elicitation, sampling, list-changes',
      'wrong: it is configured to be without resources, and used it -> [push]',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
])('describeSurfaces reports %s', (_, lines, expected) => {
  expect(lines).toEqual(expected);
});

test('the greeting and the tour of oatf doctor are served by the same actor', () => {
  const serversOf = ({ attack }: ReturnType<typeof loadTour>) => attack.execution.actors.map(({ name }) => name);
  expect([serversOf(loadGreeting()), serversOf(loadTour())]).toEqual([[greetingServer], [greetingServer]]);
});
