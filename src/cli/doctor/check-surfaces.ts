import type { AgentUnderTest } from '../../agents/adapters/agent-under-test.ts';
import { isSeenInUse, type SurfaceName, surfaceNames } from '../../format/registry/piece-kinds.ts';
import { createFindingMaker, type DoctorFinding, type FindingMaker } from './doctor-finding.ts';
import { loadTour, tourPrompt, tourWord } from './greeting.ts';
import { joinAnswerText, playServer, type VisitOptions } from './visit.ts';

/** Surfaces that the server of the tour does not have, so that it shows nothing about them. */
const notOffered: ReadonlySet<SurfaceName> = new Set(['push']);
/** Surfaces that a client declares when it connects; without a declaration it lacks them. */
const declared: ReadonlySet<SurfaceName> = new Set(['elicitation', 'sampling']);

/** Offers an agent every surface of a server, asks it to use them, and reports which ones it used. */
export async function checkSurfaces(target: AgentUnderTest, options: VisitOptions): Promise<readonly DoctorFinding[]> {
  // `voided` lists the surfaces of `without` that the agent has used, so `without` lists all of them.
  const agent = { ...target, without: surfaceNames };
  const { voided: used, records } = await playServer(loadTour(), agent, tourPrompt, options);
  return describeSurfaces(
    createFindingMaker(target.name),
    new Set(used),
    joinAnswerText(records),
    target.without ?? [],
  );
}

export function describeSurfaces(
  say: FindingMaker,
  used: ReadonlySet<string>,
  answer: string,
  claimed: readonly string[],
): readonly DoctorFinding[] {
  const knowsWord = tourWord.test(answer);
  const has = surfaceNames.filter((surface) => used.has(surface) || (surface === 'instructions' && knowsWord));
  const lacks = surfaceNames.filter(
    (surface) => isSeenInUse(surface) && !notOffered.has(surface) && !has.includes(surface),
  );
  const unknown = surfaceNames.filter((surface) => !has.includes(surface) && !lacks.includes(surface));
  const undeclared = lacks.filter((surface) => declared.has(surface));
  const unused = lacks.filter((surface) => !declared.has(surface));
  const wrong = claimed.filter((surface) => used.has(surface));
  const known = new Set([...claimed.filter((surface) => !used.has(surface)), ...lacks]);
  const line = `without: [${surfaceNames.filter((surface) => known.has(surface)).join(', ')}]`;
  const isSaid = lacks.every((surface) => claimed.includes(surface)) && wrong.length === 0;
  const parts = [
    ...(undeclared.length === 0 ? [] : [`its client declares no ${undeclared.join(', ')}`]),
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
