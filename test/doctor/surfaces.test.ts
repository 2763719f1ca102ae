import { expect, test } from 'vitest';
import { sayOf } from '../../src/cli/doctor/finding.ts';
import { greeting, greetingServer, tour } from '../../src/cli/doctor/greeting.ts';
import { surfaceFindings } from '../../src/cli/doctor/surfaces.ts';

function told(used: readonly string[], answer = '', claimed: readonly string[] = []): readonly string[] {
  return surfaceFindings(sayOf('mine'), new Set(used), answer, claimed).map(
    ({ status, says, advice }) =>
      `${status}: ${says}${advice === undefined ? '' : ` -> ${advice.split(': ').at(-1)}`}`,
  );
}

const everything = ['tools', 'resources', 'prompts', 'elicitation', 'sampling', 'list-changes'];

test.each<[title: string, lines: readonly string[], expected: readonly string[]]>([
  [
    'tools alone',
    told(['tools']),
    [
      'ok: surfaces: it has tools',
      'note: surfaces: its client declares no elicitation, sampling; it did not use resources, prompts, list-changes when asked to -> [resources, prompts, elicitation, sampling, list-changes]',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
  [
    'all of it, and the word that stands in the instructions',
    told(everything, 'The word is Marigold.'),
    [
      'ok: surfaces: it has tools, resources, prompts, instructions, elicitation, sampling, list-changes',
      'note: surfaces: nothing shows whether it has progress, push',
    ],
  ],
  [
    'as its configuration says, and more that nobody can see',
    told(everything.slice(0, 5), '', ['list-changes', 'push']),
    [
      'ok: surfaces: it has tools, resources, prompts, elicitation, sampling',
      'note: surfaces: it did not use list-changes when asked to, as its configuration says',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
  [
    'not as its configuration says',
    told(everything, '', ['resources', 'push']),
    [
      'ok: surfaces: it has tools, resources, prompts, elicitation, sampling, list-changes',
      'wrong: it is configured to be without resources, and used it -> [push]',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
])('%s', (_, lines, expected) => {
  expect(lines).toEqual(expected);
});

test('the tour is where the greeting is', () => {
  const serversOf = ({ attack }: ReturnType<typeof tour>) => attack.execution.actors.map(({ name }) => name);
  expect([serversOf(greeting()), serversOf(tour())]).toEqual([[greetingServer], [greetingServer]]);
});
