import { expect, test } from 'vitest';
import { describeSurfaces } from '../../../src/cli/doctor/check-surfaces.ts';
import { createFindingMaker } from '../../../src/cli/doctor/doctor-finding.ts';
import { greetingServer, loadGreeting, loadTour } from '../../../src/cli/doctor/greeting.ts';

type Tour = Parameters<typeof describeSurfaces>[1];

function reported(used: readonly string[], tour: Partial<Tour> = {}): readonly string[] {
  const usual = { answer: '', claimed: [], notOffered: ['push' as const], takesFrontEnd: true };
  return describeSurfaces(createFindingMaker('mine'), { ...usual, used: new Set(used), ...tour }).map(
    ({ status, says, advice }) => `${status}: ${says}${advice === undefined ? '' : ` -> ${advice.split(': ').at(-1)}`}`,
  );
}

const everything = ['mcp', 'a2a', 'tools', 'resources', 'prompts', 'elicitation', 'sampling', 'list-changes'];

test.each<[title: string, lines: readonly string[], expected: readonly string[]]>([
  [
    'an agent that used only tools',
    reported(['mcp', 'tools'], { takesFrontEnd: false }),
    [
      'ok: surfaces: it has mcp, tools',
      'note: surfaces: its client declares no elicitation, sampling; it gets the words of its user, and nothing else of ag-ui; it did not use a2a, resources, prompts, list-changes when asked to -> [a2a, ag-ui, resources, prompts, elicitation, sampling, list-changes]',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
  [
    'an agent that used everything and quoted the instructions',
    reported(everything, { answer: 'The word is Marigold.' }),
    [
      'ok: surfaces: it has mcp, a2a, ag-ui, tools, resources, prompts, instructions, elicitation, sampling, list-changes',
      'note: surfaces: nothing shows whether it has progress, push',
    ],
  ],
  [
    'an agent without the surfaces that its configuration excludes',
    reported(everything.slice(0, -1), { claimed: ['list-changes', 'push'] }),
    [
      'ok: surfaces: it has mcp, a2a, ag-ui, tools, resources, prompts, elicitation, sampling',
      'note: surfaces: it did not use list-changes when asked to, as its configuration says',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
  [
    'an agent that used a surface that its configuration excludes',
    reported(everything, { claimed: ['resources', 'push'] }),
    [
      'ok: surfaces: it has mcp, a2a, ag-ui, tools, resources, prompts, elicitation, sampling, list-changes',
      'wrong: it is configured to be without resources, and used it -> [push]',
      'note: surfaces: nothing shows whether it has instructions, progress, push',
    ],
  ],
  [
    'an agent that cannot be told of another agent',
    reported(
      everything.filter((surface) => surface !== 'a2a'),
      { notOffered: ['push', 'a2a'] },
    ),
    [
      'ok: surfaces: it has mcp, ag-ui, tools, resources, prompts, elicitation, sampling, list-changes',
      'note: surfaces: nothing shows whether it has a2a, instructions, progress, push',
    ],
  ],
])('describeSurfaces reports %s', (_, lines, expected) => {
  expect(lines).toEqual(expected);
});

test('the greeting and the tour of oatf doctor are served by the same actor, and the tour may have an agent, too', () => {
  const serversOf = ({ attack }: ReturnType<typeof loadTour>) => attack.execution.actors.map(({ name }) => name);
  expect([loadGreeting(), loadTour(false), loadTour(true)].map(serversOf)).toEqual([
    [greetingServer],
    [greetingServer],
    [greetingServer, 'concierge'],
  ]);
});
