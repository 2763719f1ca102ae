import type {
  AgentEntry,
  DisclosureState,
  Figures,
  Results,
  RunEntry,
  RunStatistics,
  Unproven,
} from '../format/model/results-file.ts';
import { describeMode, findModeSurface, knownModes } from '../format/registry/known-modes.ts';
import { count, describeRate } from './count-text.ts';
import { groupAlike, joinNamesWithin, mostSeparateAgents } from './group-alike.ts';

// Benign utility, utility under attack and attack success, as all reports word them.

const names: readonly (readonly [keyof Figures, string])[] = [
  ['benign_utility', 'benign utility'],
  ['utility_under_attack', 'utility under attack'],
  ['attack_success', 'attack success'],
  ['over_refusal', 'over-refusal'],
];

/** A figure of an agent, with its interval. */
export interface Figure {
  readonly name: string;
  readonly value: string;
}

/** The figures of an agent; none if no task result is known. */
export function listFigures({ figures }: Pick<RunStatistics, 'figures'>): readonly Figure[] {
  if (figures === undefined) return [];
  const { benign_utility, utility_under_attack } = figures;
  if (benign_utility.of === 0 && utility_under_attack.of === 0) return [];
  return names.flatMap(([key, name]) => (figures[key].of === 0 ? [] : [{ name, value: describeRate(figures[key]) }]));
}

/** `benign utility 3/3, 43–100 %; attack success 0/3, 0–57 %`. */
export function formatFigures(statistics: Pick<RunStatistics, 'figures'>): string | undefined {
  const figures = listFigures(statistics);
  return figures.length === 0 ? undefined : figures.map(({ name, value }) => `${name} ${value}`).join('; ');
}

/** Says how many runs resisted without doing the task; nothing if none did. */
export function describeIdleRuns({ resisted_not_done: idle = 0 }: RunStatistics): string | undefined {
  return idle === 0 ? undefined : `${count(idle, 'run', 'runs')} resisted without doing the task`;
}

/** Says how many runs resisted although their documents do not mark the payload; nothing if none did. */
export function describeInferredRuns({
  delivery_inferred: inferred = 0,
}: Pick<RunStatistics, 'delivery_inferred'>): string | undefined {
  return inferred === 0
    ? undefined
    : `${count(inferred, 'run', 'runs')} resisted with delivery inferred: the document has no marks`;
}

/**
 * Crosses disclosure with the outcome: `told its user: resisted and said so 3, not seen to disclose 5; succeeded and said so 1`. Nothing if
 * it is not known of any run.
 */
export function describeDisclosures({ disclosures }: Pick<RunStatistics, 'disclosures'>): string | undefined {
  if (disclosures === undefined) return undefined;
  const { resisted, succeeded } = disclosures;
  const all = [resisted, succeeded];
  if (all.every(({ disclosed, not_disclosed }) => disclosed + not_disclosed === 0)) return undefined;
  const sides = (['resisted', 'succeeded'] as const).flatMap((side) => {
    const { disclosed, not_disclosed, unknown } = disclosures[side];
    if (disclosed + not_disclosed + unknown === 0) return [];
    return [
      `${side} and said so ${disclosed}, not seen to disclose ${not_disclosed}${unknown === 0 ? '' : `, unknown ${unknown}`}`,
    ];
  });
  return `told its user: ${sides.join('; ')}`;
}

/** The words for one run: whether the agent told its user, which only a judge can deny. */
export function nameDisclosure(state: DisclosureState | undefined, decidedBy: string | undefined): string | undefined {
  if (state === 'disclosed') return 'said so';
  if (state === 'not_disclosed') return decidedBy === 'judge' ? 'in silence' : 'not seen to disclose';
  return state;
}

/** What the suite does not prove. No single attack shows it if none of them applies. */
export function listUnproven({ unproven = [], statistics: { attacks } }: Results): readonly Unproven[] {
  const [first] = attacks;
  if (first === undefined || unproven.length > 0 || !attacks.every(({ status }) => status === 'not_applicable'))
    return unproven;
  return [{ agent: first.agent, why: 'nothing_judged', reason: 'no attack applies to it' }];
}

/** The reasons why the suite proves less than its outcomes suggest, one line each. */
export function listUnprovenClaims(results: Results): readonly string[] {
  return listUnproven(results).map(({ agent, document, reason }) =>
    document === undefined ? `${agent}: ${reason}` : `${document} on ${agent}: ${reason}`,
  );
}

/** The same for people to read: agents with the same reason share a line if there are many. */
export function formatUnprovenClaims(results: Results, columns: number): readonly string[] {
  if (results.agents.length <= mostSeparateAgents) return listUnprovenClaims(results);
  return groupAlike(listUnproven(results), ({ document, reason }) => JSON.stringify([document, reason])).map(
    ({ first: { document, reason }, all }) => {
      const who = joinNamesWithin(
        all.map(({ agent }) => agent),
        columns / 2,
      );
      return document === undefined ? `${who}: ${reason}` : `${document} on ${who}: ${reason}`;
    },
  );
}

/** Outcomes that were raised because the agent answered the benign twin. */
export function listRaisedOutcomes({ runs }: Results): readonly string[] {
  return runs.flatMap(({ document, agent, raised }) =>
    raised === undefined ? [] : [`${document.id ?? document.name} on ${agent}: ${raised}`],
  );
}

/**
 * Servers that were offered to an agent in several runs and that it never contacted, one line for each kind of server. It
 * may use none at all, and then the attacks do not apply to it.
 */
export function describeUnusedServers(
  { name, kind, without = [] }: AgentEntry,
  runs: readonly Pick<RunEntry, 'agent' | 'cause' | 'document' | 'delivery' | 'coverage'>[],
): readonly string[] {
  // Nothing can be configured for a client that connects by itself.
  const own = kind === 'external' ? [] : runs.filter(({ agent }) => agent === name);
  return knownModes().flatMap((mode) => {
    const surface = findModeSurface(mode);
    const entries = own.flatMap(({ delivery }) => Object.values(delivery).filter((entry) => entry.mode === mode));
    if (surface === undefined || without.includes(surface) || entries.some(({ reached }) => reached)) return [];
    // A run in which the agent failed says nothing of what it lacks.
    const needing = own.filter(
      ({ cause, delivery, coverage }) =>
        cause === 'not_delivered' &&
        coverage?.pieces.some((piece) => piece.needed && !piece.delivered && delivery[piece.actor]?.mode === mode),
    );
    const attacks = new Set(needing.map(({ document }) => JSON.stringify([document.path, document.id]))).size;
    if (attacks === 0) return [];
    const need = attacks === 1 ? 'attack is' : 'attacks are';
    return `${attacks} ${need} for ${describeMode(mode).targets}, and it contacted none; if it never does, leave them out with --without ${surface}, or \`without: [${surface}]\` in its target`;
  });
}

/** The tier from which a match fails, if one was named. */
export function describeFailTier({ fail_tier }: Results): string | undefined {
  return fail_tier === undefined ? undefined : `a match fails from ${fail_tier} on; milder ones are tolerated`;
}

/**
 * Says which surfaces an agent lacks according to the configuration, and whether its runs confirm it. Returns nothing
 * if the configuration names none.
 */
export function describeClaim(
  { name, without = [] }: Pick<AgentEntry, 'name' | 'without'>,
  runs: readonly Pick<RunEntry, 'agent' | 'voided'>[],
): string | undefined {
  if (without.length === 0) return undefined;
  const used = new Set(runs.flatMap((run) => (run.agent === name ? (run.voided ?? []) : [])));
  const voided = without.filter((surface) => used.has(surface));
  const but =
    voided.length === 0
      ? ''
      : `, but it used ${voided.join(', ')} all the same: for those runs the claim does not count`;
  return `configured to be without ${without.join(', ')}${but}`;
}
