import type { AgentUnderTest } from '../../agents/adapters/agent-under-test.ts';
import { isSeenInUse, type SurfaceName, surfaceNames } from '../../format/registry/piece-kinds.ts';
import { createFindingMaker, type DoctorFinding, type FindingMaker } from './doctor-finding.ts';
import { loadTour, tourPrompt, tourWord } from './greeting.ts';
import { joinAnswerText, playServer, type VisitOptions } from './visit.ts';

/** Surfaces that the tour does not have, so that it shows nothing about them. */
const notOffered: readonly SurfaceName[] = ['push'];
const frontEnd: SurfaceName = 'ag-ui';
/** Surfaces that a client declares when it connects; without a declaration it lacks them. */
const declared: ReadonlySet<SurfaceName> = new Set(['elicitation', 'sampling']);

/** Offers an agent every surface of a server and another agent, asks it to use them, and reports which ones it used. */
export async function checkSurfaces(target: AgentUnderTest, options: VisitOptions): Promise<readonly DoctorFinding[]> {
  // `voided` lists the surfaces of `without` that the agent has used, so `without` lists all of them.
  const agent = { ...target, without: surfaceNames };
  const { voided: used, records } = await playServer(loadTour(target.isTold), agent, tourPrompt, options);
  return describeSurfaces(createFindingMaker(target.name), {
    used: new Set(used),
    answer: joinAnswerText(records),
    notOffered: target.isTold ? notOffered : [...notOffered, 'a2a'],
    claimed: target.without ?? [],
    // Its adapter says whether it gets more than the words of its user.
    takesFrontEnd: !target.lacks?.includes('history'),
  });
}

interface Tour {
  /** The surfaces that its messages showed. */
  readonly used: ReadonlySet<string>;
  readonly answer: string;
  readonly notOffered: readonly SurfaceName[];
  readonly claimed: readonly string[];
  readonly takesFrontEnd: boolean;
}

export function describeSurfaces(
  say: FindingMaker,
  { used, answer, notOffered, claimed, takesFrontEnd }: Tour,
): readonly DoctorFinding[] {
  const shown = new Set<string>([
    ...used,
    ...(tourWord.test(answer) ? ['instructions'] : []),
    ...(takesFrontEnd ? [frontEnd] : []),
  ]);
  const has = surfaceNames.filter((surface) => shown.has(surface));
  const lacks = surfaceNames.filter(
    (surface) => (isSeenInUse(surface) || surface === frontEnd) && !notOffered.includes(surface) && !shown.has(surface),
  );
  const unknown = surfaceNames.filter((surface) => !has.includes(surface) && !lacks.includes(surface));
  const undeclared = lacks.filter((surface) => declared.has(surface));
  const unused = lacks.filter((surface) => !declared.has(surface) && surface !== frontEnd);
  const wrong = claimed.filter((surface) => used.has(surface));
  const known = new Set([...claimed.filter((surface) => !used.has(surface)), ...lacks]);
  const line = `without: [${surfaceNames.filter((surface) => known.has(surface)).join(', ')}]`;
  const isSaid = lacks.every((surface) => claimed.includes(surface)) && wrong.length === 0;
  const parts = [
    ...(undeclared.length === 0 ? [] : [`its client declares no ${undeclared.join(', ')}`]),
    ...(lacks.includes(frontEnd) ? [`it gets the words of its user, and nothing else of ${frontEnd}`] : []),
    ...(unused.length === 0 ? [] : [`it did not use ${unused.join(', ')} when asked to`]),
  ];
  return [
    say('ok', has.length === 0 ? 'surfaces: it used none' : `surfaces: it has ${has.join(', ')}`),
    ...(wrong.length === 0
      ? []
      : [say('wrong', `it is configured to be without ${wrong.join(', ')}, and used it`, line)]),
    ...(parts.length === 0
      ? []
      : [
          say(
            'note',
            `surfaces: ${parts.join('; ')}${isSaid ? ', as its configuration says' : ''}`,
            isSaid
              ? undefined
              : `if it never does, its target can say so, and attacks that need it do not apply: ${line}`,
          ),
        ]),
    ...(unknown.length === 0 ? [] : [say('note', `surfaces: nothing shows whether it has ${unknown.join(', ')}`)]),
  ];
}
