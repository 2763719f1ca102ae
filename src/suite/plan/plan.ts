import { createHash } from 'node:crypto';
import type { AgentUnderTest } from '../../agents/adapters/agent-under-test.ts';
import { includedViews } from '../../attack/bindings/included-views.ts';
import { systemClock } from '../../attack/transport/clock.ts';
import { findDocumentMarks } from '../../format/extensions/read-marks.ts';
import type { Tier } from '../../format/model/enumeration-types.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { NormalizedAttack, NormalizedDocument } from '../../format/model/normalized.ts';
import type { AgentEntry, DocumentEntry, SkippedDocument } from '../../format/model/results-file.ts';
import type { Value } from '../../format/model/value.ts';
import { findAttackReach } from '../../judgement/judge/needs.ts';
import { ownTool } from './own-tool.ts';
import { createPairKey } from './pairs.ts';
import { type Shard, selectShardAttacks } from './shard.ts';

// The plan of a suite, stored before anything runs. A process that continues the suite, or joins it with others,
// compares its own plan with this one.

/** The program that plays a suite, as its results name it. */
export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** `plan.json`. */
export interface SuitePlan {
  readonly version: 3;
  readonly tool: Tool;
  readonly started: string;
  readonly documents: readonly PlannedDocument[];
  /** Documents that were asked for and are not played, because they are not valid. */
  readonly skipped?: readonly SkippedDocument[];
  readonly agents: readonly AgentEntry[];
  /** How often each document is played against each agent. */
  readonly repeat: number;
  /** Whether repeats are skipped once the status of an attack is decided early. */
  readonly early_stop: boolean;
  /** The tier from which a match fails. Default: any tier. */
  readonly fail_tier?: Tier;
  /** The lowest accepted utility under attack of an agent. Default: any. */
  readonly min_utility?: number;
  /** Further settings, as the caller names them. */
  readonly settings: { readonly [name: string]: Value };
  readonly shard?: PlannedShard;
}

/** The part of a suite that one machine of several runs. */
export interface PlannedShard extends Shard {
  /** The attacks of this shard, by their index among all. */
  readonly attacks: readonly number[];
}

export interface PlannedDocument {
  /** The document's id, or its name if it has none; with its file when documents share it. */
  readonly key: string;
  readonly sha256: string;
  /** The key of the document whose benign twin this is. */
  readonly twin_of?: string;
  readonly tiers: readonly string[];
  /** The accepted rate, if one was named. */
  readonly max_rate?: number;
  readonly entry: DocumentEntry & { readonly source: string };
}

/** One document against one agent, as often as it is repeated. */
export interface PlannedAttack {
  /** The index among all attacks of the plan, on every shard. */
  readonly index: number;
  readonly document: PlannedDocument;
  readonly agent: AgentEntry;
}

/** One run: a repeat of an attack, counted from 1. */
export interface PlannedRun {
  readonly attack: PlannedAttack;
  readonly repeat: number;
}

/** A document that can be played, as it was read. */
export interface PlayableDocument {
  readonly document: NormalizedDocument;
  /** The file that it was read from, for people to read. */
  readonly file: string;
  readonly text: string;
  /** Warnings from loading the document. */
  readonly warnings: readonly Diagnostic[];
  /** The document whose benign twin this is. */
  readonly twinOf?: PlayableDocument;
}

/** The request from which a plan is made. */
export interface PlanRequest {
  readonly documents: readonly PlayableDocument[];
  /** Documents that were asked for and are not played, because they are not valid. */
  readonly skipped?: readonly SkippedDocument[] | undefined;
  readonly agents: readonly (Omit<AgentEntry, 'without'> & Pick<AgentUnderTest, 'without'>)[];
  /** How often each document is played against each agent. Default: once. */
  readonly repeat?: number | undefined;
  /** The accepted rate of a document. Default: none. */
  maxRateOf?(document: NormalizedDocument): number | undefined;
  /** Whether repeats are skipped once they cannot change whether the rate is kept. */
  readonly earlyStop?: boolean | undefined;
  /** The tier from which a match fails. Default: any tier. */
  readonly failTier?: Tier | undefined;
  /** The lowest accepted utility under attack of an agent, from 0 to 1. Default: any. */
  readonly minUtility?: number | undefined;
  /** Further settings, as the caller names them. */
  readonly settings?: SuitePlan['settings'] | undefined;
  readonly shard?: Shard | undefined;
  /** How long an attack took earlier, by the key of its document and the name of its agent; used to balance shards. */
  durationOf?(document: string, agent: string): number | undefined;
  /** Default: now. */
  readonly started?: string | undefined;
}

/** Plans every document against every agent. */
export function planSuite(request: PlanRequest): SuitePlan {
  const { documents, shard, skipped = [] } = request;
  const plan: SuitePlan = {
    version: 3,
    tool: ownTool,
    started: request.started ?? systemClock.timestamp(),
    documents: planDocuments(documents, request.maxRateOf),
    ...(skipped.length > 0 && { skipped }),
    agents: request.agents.map(({ name, kind, without }) => ({
      name,
      kind,
      ...(without !== undefined && { without }),
    })),
    repeat: request.repeat ?? 1,
    early_stop: request.earlyStop ?? false,
    ...(request.failTier !== undefined && { fail_tier: request.failTier }),
    ...(request.minUtility !== undefined && { min_utility: request.minUtility }),
    settings: request.settings ?? {},
  };
  if (shard === undefined) return plan;
  const all = listAllAttacks(plan);
  const durations = all.map(({ document, agent }) => request.durationOf?.(document.key, agent.name));
  // Only together do an attack and its benign twin tell what the attack caused.
  const keys = all.map(createPairKey);
  return {
    ...plan,
    shard: { ...shard, attacks: selectShardAttacks(durations, shard, (attack) => keys[attack] ?? '') },
  };
}

function planDocuments(
  playables: readonly PlayableDocument[],
  maxRateOf: PlanRequest['maxRateOf'],
): readonly PlannedDocument[] {
  const attacks = playables.filter(({ twinOf }) => twinOf === undefined);
  const own = numberRepeatedNames(createDistinctNames(attacks));
  const keyOf = new Map(attacks.map((playable, index) => [playable, own[index] ?? '']));
  // A twin may be played without its document.
  const findName = (playable: PlayableDocument): string =>
    keyOf.get(playable) ?? playable.document.attack.id ?? playable.document.attack.name;
  const keys = numberRepeatedNames(
    playables.map((each) => (each.twinOf === undefined ? findName(each) : `${findName(each.twinOf)}.twin`)),
  );
  const files = createFileNames(keys);
  return playables.map(({ document, file, text, twinOf }, index) => {
    const isTwin = twinOf !== undefined;
    // An accepted rate applies only to attacks, not to twins.
    const maxRate = isTwin ? undefined : maxRateOf?.(document);
    return {
      key: keys[index] ?? '',
      sha256: createHash('sha256').update(text).digest('hex'),
      ...(isTwin && { twin_of: findName(twinOf) }),
      tiers: listTiers(document.attack.indicators),
      ...(maxRate !== undefined && { max_rate: maxRate }),
      entry: { ...createDocumentEntry(document, file), source: `documents/${files[index]}.yaml` },
    };
  });
}

/** The names of documents. Documents that share a name get the name of their file too, whichever comes first. */
function createDistinctNames(playables: readonly PlayableDocument[]): readonly string[] {
  const names = playables.map(({ document: { attack } }) => attack.id ?? attack.name);
  const times = new Map<string, number>();
  for (const name of names) times.set(name.toLowerCase(), (times.get(name.toLowerCase()) ?? 0) + 1);
  return names.map((name, index) =>
    (times.get(name.toLowerCase()) ?? 0) > 1 ? nameWithFile(name, playables[index]?.file ?? '') : name,
  );
}

/** The name of a document that is not the only one with its id. Only one can be of the library, where the path is the id. */
export function nameWithFile(name: string, file: string): string {
  return file === name ? name : `${name} (${file})`;
}

/** If some indicators have a tier, one without a tier counts as the most severe tier. */
function listTiers(indicators: NormalizedAttack['indicators'] = []): readonly string[] {
  const written = indicators.map(({ tier }) => tier);
  const isWithout = written.every((tier) => tier === undefined);
  return isWithout ? [] : [...new Set(written.map((tier) => tier ?? 'boundary_breach'))];
}

/** Every document against every agent, in the order of the documents. */
export function listAllAttacks({
  documents,
  agents,
}: Pick<SuitePlan, 'documents' | 'agents'>): readonly PlannedAttack[] {
  return documents.flatMap((document, row) =>
    agents.map((agent, column) => ({ index: row * agents.length + column, document, agent })),
  );
}

/** The attacks that the plan's shard runs. */
export function listPlannedAttacks(plan: SuitePlan): readonly PlannedAttack[] {
  const all = listAllAttacks(plan);
  if (plan.shard === undefined) return all;
  const mine = new Set(plan.shard.attacks);
  return all.filter(({ index }) => mine.has(index));
}

/** A name that no earlier run had, for agents that remember. Another try of a run is another conversation, too. */
export function createConversationName(
  { attack, repeat }: PlannedRun,
  attempt: number,
  era?: string,
): string | undefined {
  const isTwin = attack.document.twin_of !== undefined;
  const parts = [
    ...(isTwin ? ['twin'] : []),
    ...(repeat > 1 || attempt > 1 ? [repeat] : []),
    ...(attempt > 1 ? [attempt] : []),
    ...(era === undefined ? [] : [era]),
  ];
  return parts.length === 0 ? undefined : parts.join('-');
}

/** The path of a run's trace, relative to the folder of results. */
export function createTraceNamer(plan: SuitePlan): (task: PlannedRun) => string {
  const names = createFileNames(plan.agents.map(({ name }) => name));
  const nameOf = new Map(
    plan.agents.map(({ name, kind }, index) => [name, kind === 'external' ? undefined : names[index]]),
  );
  return ({ attack, repeat }) => {
    const document = attack.document.entry.source.replace(/^documents\//, '').replace(/\.yaml$/, '');
    const parts = [document, nameOf.get(attack.agent.name), plan.repeat > 1 ? repeat : undefined];
    return `traces/${parts.filter((part) => part !== undefined).join('.')}.jsonl`;
  };
}

/** Turns names into parts of file names. */
function createFileNames(names: readonly string[]): readonly string[] {
  return numberRepeatedNames(names.map((name) => name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80) || 'document'));
}

/** Makes names distinct, even where case does not count, by adding a number to repeated ones. */
function numberRepeatedNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((base) => {
    let name = base;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base}-${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** The fields of a document that stored results keep. */
export function createDocumentEntry(document: NormalizedDocument, path: string): DocumentEntry {
  const { id, name, version, severity, classification } = document.attack;
  return {
    ...(id !== undefined && { id }),
    name,
    version,
    path,
    ...(severity !== undefined && { severity: severity.level }),
    ...(classification?.category !== undefined && { category: classification.category }),
    protocols: findAttackReach(document, includedViews, findDocumentMarks(document) ?? []).protocols,
    tags: classification?.tags ?? [],
  };
}

/** The eras of MCP in which a suite can be played, one after the other. */
const eras = ['legacy', 'modern'] as const;

/**
 * Lists every agent once for each era, under a name with the era: attacks, rates and baselines of the two eras are
 * separate, like those of two agents.
 */
export function splitByEra(agents: readonly AgentUnderTest[]): readonly AgentUnderTest[] {
  return agents.flatMap((agent) =>
    eras.map((era, index) => ({
      ...agent,
      name: `${agent.name} (${era})`,
      era,
      launch: (briefing) => agent.launch(briefing),
      // Both entries are the same agent, so it is closed once.
      close: async () => (index === 0 ? agent.close?.() : undefined),
    })),
  );
}

/** The name of the agent without its era. */
export function dropEra(name: string): string {
  return name.replace(/ \((?:legacy|modern)\)$/, '');
}
