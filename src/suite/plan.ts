import { createHash } from 'node:crypto';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { AgentEntry, DocumentEntry } from '../model/results.ts';
import type { Value } from '../model/value.ts';
import { documentEntry } from './run-entry.ts';
import type { Shard } from './shard.ts';

// What a suite is going to run, stored before anything does: whoever goes on with it, or joins it with others, holds
// it against this.

/** The program that plays a suite, as its results name it. */
export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** `plan.json`. */
export interface Plan {
  readonly version: 1;
  readonly tool: Tool;
  readonly started: string;
  readonly documents: readonly PlannedDocument[];
  readonly agents: readonly AgentEntry[];
  /** How often each document is played against each agent. */
  readonly repeat: number;
  /** Whether repeats are left out once the standing of an attack is settled. */
  readonly early_stop: boolean;
  /** What was asked for besides, in the words of whoever asked. */
  readonly settings: { readonly [name: string]: Value };
  readonly shard?: PlannedShard;
}

/** The part of a suite that one machine of several runs. */
export interface PlannedShard extends Shard {
  /** The attacks of this shard, by their place among all. */
  readonly attacks: readonly number[];
}

/** A document of a plan. */
export interface PlannedDocument {
  /** The document's id, or its name where it has none; numbered where documents share it. */
  readonly key: string;
  readonly sha256: string;
  readonly tiers: readonly string[];
  /** The rate that is accepted, where one was named. */
  readonly max_rate?: number;
  readonly entry: DocumentEntry & { readonly source: string };
}

/** One document against one agent, as often as it is repeated. */
export interface PlannedAttack {
  /** The place among all attacks of the plan, on whatever shard they are. */
  readonly index: number;
  readonly document: PlannedDocument;
  readonly agent: AgentEntry;
}

/** One run: a repeat of an attack, counted from 1. */
export interface Task {
  readonly attack: PlannedAttack;
  readonly repeat: number;
}

/** A document that is to be planned: as it was loaded, and its text. */
export interface PlannedSource {
  readonly document: NormalizedDocument;
  readonly path: string;
  readonly text: string;
  readonly maxRate?: number | undefined;
}

export function planDocuments(sources: readonly PlannedSource[]): readonly PlannedDocument[] {
  const keys = told(sources.map(({ document: { attack } }) => attack.id ?? attack.name));
  const files = fileNames(keys);
  return sources.map(({ document, path, text, maxRate }, index) => ({
    key: keys[index] ?? '',
    sha256: createHash('sha256').update(text).digest('hex'),
    tiers: [...new Set((document.attack.indicators ?? []).flatMap(({ tier }) => tier ?? []))],
    ...(maxRate !== undefined && { max_rate: maxRate }),
    entry: { ...documentEntry(document, path), source: `documents/${files[index]}.yaml` },
  }));
}

/** Every document against every agent, in the order of the documents. */
export function allAttacks({
  documents,
  agents,
}: Pick<Plan, 'documents' | 'agents'>): readonly PlannedAttack[] {
  return documents.flatMap((document, row) =>
    agents.map((agent, column) => ({ index: row * agents.length + column, document, agent })),
  );
}

/** Those that the plan's shard is to run. */
export function attacksOf(plan: Plan): readonly PlannedAttack[] {
  const all = allAttacks(plan);
  if (plan.shard === undefined) return all;
  const mine = new Set(plan.shard.attacks);
  return all.filter(({ index }) => mine.has(index));
}

/** What tells a run from those before it, for agents that remember; a run that is tried again is another conversation, too. */
export function conversationOf({ repeat }: Task, attempt: number): string | undefined {
  if (attempt > 1) return `${repeat}-${attempt}`;
  return repeat > 1 ? String(repeat) : undefined;
}

/** Where the trace of a run goes, relative to the folder of results. */
export function traceOf(plan: Plan): (task: Task) => string {
  const names = fileNames(plan.agents.map(({ name }) => name));
  const nameOf = new Map(
    plan.agents.map(({ name, kind }, index) => [name, kind === 'external' ? undefined : names[index]]),
  );
  return ({ attack, repeat }) => {
    const document = attack.document.entry.source.replace(/^documents\//, '').replace(/\.yaml$/, '');
    const parts = [document, nameOf.get(attack.agent.name), plan.repeat > 1 ? repeat : undefined];
    return `traces/${parts.filter((part) => part !== undefined).join('.')}.jsonl`;
  };
}

/** Names as parts of file names. */
function fileNames(names: readonly string[]): readonly string[] {
  return told(names.map((name) => name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80) || 'document'));
}

/** Names that can be told apart, even where case does not count: the second of a kind has a number behind it. */
function told(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((base) => {
    let name = base;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base}-${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
