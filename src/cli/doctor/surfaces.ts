import type { AgentUnderTest } from '../../agent/agent.ts';
import type { TraceRecord } from '../../model/trace.ts';
import { isSeenInUse, type SurfaceName, surfaceNames } from '../../registry/pieces.ts';
import { playDocument } from '../../suite/play.ts';
import { systemClock } from '../../transport/clock.ts';
import { modesFor } from '../run/places/modes.ts';
import { type Finding, type Say, sayOf } from './finding.ts';
import { tour, tourPrompt, tourWord } from './greeting.ts';
import { answerIn, type VisitOptions } from './visit.ts';

/** Surfaces that the server of the tour does not have, so that it shows nothing about them. */
const notOffered: ReadonlySet<SurfaceName> = new Set(['push']);
/** Surfaces that a client declares when it connects; without a declaration it lacks them. */
const declared: ReadonlySet<SurfaceName> = new Set(['elicitation', 'sampling']);

/** Offers an agent every surface of a server, asks it to use them, and reports which ones it used. */
export async function lookAtSurfaces(
  target: AgentUnderTest,
  { timeoutMs, signal, addresses }: VisitOptions,
): Promise<readonly Finding[]> {
  const records: TraceRecord[] = [];
  const { voided: used } = await playDocument(tour(), {
    // Using a surface voids a claim to lack it, so all of them are claimed.
    agent: { ...target, without: surfaceNames },
    modes: modesFor(addresses ?? (() => undefined)),
    prompt: tourPrompt,
    clock: systemClock,
    limits: { sessionMs: timeoutMs },
    signal,
    record: (record) => records.push(record),
  });
  return surfaceFindings(sayOf(target.name), new Set(used), answerIn(records), target.without ?? []);
}

export function surfaceFindings(
  say: Say,
  used: ReadonlySet<string>,
  answer: string,
  claimed: readonly string[],
): readonly Finding[] {
  const knowsWord = tourWord.test(answer);
  const has = surfaceNames.filter(
    (surface) => used.has(surface) || (surface === 'instructions' && knowsWord),
  );
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
    ...(unknown.length === 0
      ? []
      : [say('note', `surfaces: nothing shows whether it has ${unknown.join(', ')}`)]),
  ];
}
