import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../../files/regular-file.ts';
import {
  type AttackStatus,
  type ComparedAttack,
  type NotRunReason,
  type OutcomeName,
  outcomeNames,
  type TaskState,
} from '../../model/results.ts';
import { isValueMap, type ValueMap } from '../../model/value.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { claimOf } from '../claims.ts';
import { notRunReasons } from '../words.ts';
import { type ReadDocument, readDocument } from './document-part.ts';
import type { DocumentPart, PageAttack, PageDocument, PageIndex, PageRun } from './page-data.ts';
import { fileWithin } from './read-results.ts';
import { mapIn, mapsIn, numberIn, textIn, textsIn } from './stored.ts';

export interface BuiltIndex {
  readonly index: PageIndex;
  /** The documents with a known source, in the order of the index. */
  readonly documents: readonly (DocumentPart | undefined)[];
  readonly runs: readonly ValueMap[];
}

const outcomes: ReadonlySet<string> = new Set(outcomeNames);
const longestSource = 4 * 1024 * 1024;

export function buildIndex(results: ValueMap, redactor: Redactor, names: Catalogue): BuiltIndex {
  const runs = mapsIn(results, 'runs');
  const agents = mapsIn(results, 'agents').map((agent) => ({
    name: textIn(agent, 'name') ?? '',
    kind: textIn(agent, 'kind') ?? '',
    without: textsIn(agent, 'without'),
  }));
  const agentIndex = (name: string): number => {
    const found = agents.findIndex((agent) => agent.name === name);
    return found >= 0 ? found : agents.push({ name, kind: '', without: [] }) - 1;
  };
  const rows = runs.map((run): PageRun => {
    const outcome = textIn(run, 'outcome') ?? '';
    const tier = textIn(mapIn(run, 'verdict'), 'max_tier');
    const reason = textIn(run, 'reason');
    return {
      document: names.add(run),
      agent: agentIndex(textIn(run, 'agent') ?? ''),
      repeat: numberIn(run, 'repeat') ?? 1,
      outcome: (outcomes.has(outcome) ? outcome : 'error') as OutcomeName,
      ...(run.twin === true && { twin: true }),
      ...taskIn(run),
      ...(tier !== undefined && { tier }),
      ...(reason !== undefined && { reason: redactor.text(reason) }),
      ms: numberIn(run, 'duration_ms') ?? 0,
      ...coveredIn(run),
    };
  });
  const { name = 'oatf', version = '' } = mapIn(results, 'tool');
  const finished = textIn(results, 'finished');
  const planned = numberIn(results, 'planned');
  const repeats = numberIn(results, 'repeats');
  const failTier = textIn(results, 'fail_tier');
  const used = runs.map((run) => ({ agent: textIn(run, 'agent') ?? '', voided: textsIn(run, 'voided') }));
  // This comes before the agents are listed: results may name an agent that has no run.
  const attacks = attacksOf(results, names, agentIndex);
  const baseline = isValueMap(results.baseline) ? results.baseline : undefined;
  return {
    index: {
      tool: `${name} ${version}`.trim(),
      started: textIn(results, 'started') ?? runs.map((run) => textIn(run, 'started')).find(Boolean) ?? '',
      ...(finished !== undefined && { finished }),
      ...(planned !== undefined && { planned }),
      ...(repeats !== undefined && { repeats }),
      notRun: notRunIn(results),
      skipped: mapsIn(results, 'skipped').map((each) => ({
        path: redactor.text(textIn(each, 'path') ?? ''),
        reason: redactor.text(textIn(each, 'reason') ?? ''),
      })),
      agents: agents.map((agent) => {
        const claim = claimOf(agent, used);
        return {
          name: redactor.text(agent.name),
          kind: agent.kind,
          ...(claim !== undefined && { claim: redactor.text(claim) }),
        };
      }),
      documents: names.documents,
      runs: rows,
      attacks,
      ...(baseline !== undefined && {
        baseline: {
          file: textIn(baseline, 'file') ?? '',
          missing: mapsIn(baseline, 'missing').map((entry) => ({
            document: redactor.text(textIn(entry, 'document') ?? ''),
            agent: redactor.text(textIn(entry, 'agent') ?? ''),
          })),
        },
      }),
      unproven: unprovenLines(results).map(redactor.text),
      raised: raisedLines(runs).map(redactor.text),
      ...(failTier !== undefined && { failTier }),
      masked: redactor.masksShapes,
      demands: [...new Set(runs.flatMap((run) => (run.twin === true ? [] : (textIn(run, 'demand') ?? []))))],
    },
    documents: names.parts,
    runs,
  };
}

const taskStates: readonly TaskState[] = ['done', 'not_done', 'unknown'];

function taskIn(run: ValueMap): Pick<PageRun, 'task'> {
  const task = taskStates.find((state) => state === run.task);
  return task === undefined ? {} : { task };
}

/** The reasons why the suite proves less about an agent than its outcomes suggest, one line each. */
function unprovenLines(results: ValueMap): readonly string[] {
  return mapsIn(results, 'unproven').map((each) => {
    const [document, agent, reason] = ['document', 'agent', 'reason'].map((key) => textIn(each, key) ?? '');
    return document === '' ? `${agent}: ${reason}` : `${document} on ${agent}: ${reason}`;
  });
}

function raisedLines(runs: readonly ValueMap[]): readonly string[] {
  return runs.flatMap((run) => {
    const raised = textIn(run, 'raised');
    const { id, name } = mapIn(run, 'document');
    return raised === undefined ? [] : [`${String(id ?? name)} on ${textIn(run, 'agent') ?? ''}: ${raised}`];
  });
}

function coveredIn(run: ValueMap): Pick<PageRun, 'covered'> {
  const coverage = mapIn(run, 'coverage');
  const [delivered, of] = [numberIn(coverage, 'delivered'), numberIn(coverage, 'of')];
  return delivered === undefined || of === undefined || of === 0 ? {} : { covered: [delivered, of] };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/** The documents of runs, each read once. */
export function createCatalogue(folder: string, redactor: Redactor) {
  const documents: PageDocument[] = [];
  const parts: (DocumentPart | undefined)[] = [];
  const indices = new Map<string, number>();
  const byName = new Map<string, number>();
  return {
    documents,
    parts,
    /** Finds a document by its id, or by its name if it has no id. */
    find: (name: string): number | undefined => byName.get(name),
    add(run: ValueMap): number {
      const entry = mapIn(run, 'document');
      const key = JSON.stringify([
        entry.id ?? null,
        entry.name ?? null,
        entry.path ?? null,
        entry.source ?? null,
      ]);
      const known = indices.get(key);
      if (known !== undefined) return known;
      const source = sourceOf(folder, run, entry, redactor);
      const [id, severity, category] = [
        textIn(entry, 'id'),
        textIn(entry, 'severity') ?? source?.severity,
        textIn(entry, 'category') ?? source?.category,
      ];
      const name = textIn(entry, 'name') ?? id ?? 'Untitled';
      const protocols = textsIn(entry, 'protocols');
      const index =
        documents.push({
          ...(id !== undefined && { id }),
          name: redactor.text(name),
          ...(severity !== undefined && { severity }),
          ...(category !== undefined && { category }),
          protocols: protocols.length > 0 ? protocols : (source?.protocols ?? []),
          tags: textsIn(entry, 'tags').map(redactor.text),
          source: source !== undefined,
        }) - 1;
      parts.push(source?.part);
      indices.set(key, index);
      if (!byName.has(id ?? name)) byName.set(id ?? name, index);
      return index;
    },
  };
}

function sourceOf(
  folder: string,
  run: ValueMap,
  entry: ValueMap,
  redactor: Redactor,
): ReadDocument | undefined {
  const named = textIn(entry, 'source') ?? guessedSource(folder, run);
  const file = named === undefined ? undefined : fileWithin(folder, named);
  if (named === undefined || file === undefined) return undefined;
  const bytes = readBounded(file, longestSource);
  if (bytes === 'too long') return undefined;
  // Every run of a document has the same pieces.
  const pieces = mapsIn(mapIn(run, 'coverage'), 'pieces').map((piece) => ({
    actor: textIn(piece, 'actor') ?? '',
    at: textIn(piece, 'at') ?? '',
  }));
  return readDocument(bytes.toString('utf8'), textIn(entry, 'path') ?? named, redactor, pieces);
}

/** Results of earlier versions do not name the source, but a trace is named after its document. */
function guessedSource(folder: string, run: ValueMap): string | undefined {
  const [, base] = /^traces\/(.+)\.jsonl$/.exec(textIn(run, 'trace') ?? '') ?? [];
  if (base === undefined) return undefined;
  const suffix = `.${textIn(run, 'agent') ?? ''}`;
  return [base, base.split(suffix)[0] ?? '', textIn(mapIn(run, 'document'), 'id') ?? '']
    .map((name) => `documents/${name}.yaml`)
    .find((name) => existsSync(join(folder, name)));
}

function notRunIn(results: ValueMap): PageIndex['notRun'] {
  const byReason = new Map<string, number>();
  for (const missing of mapsIn(results, 'not_run')) {
    const reason = textIn(missing, 'reason') ?? '';
    const words = Object.hasOwn(notRunReasons, reason) ? notRunReasons[reason as NotRunReason] : reason;
    byReason.set(words, (byReason.get(words) ?? 0) + (numberIn(missing, 'runs') ?? 1));
  }
  return [...byReason].map(([reason, runs]) => ({ reason, runs }));
}

function attacksOf(
  results: ValueMap,
  names: Catalogue,
  agent: (name: string) => number,
): readonly PageAttack[] {
  const attacks = new Map<string, PageAttack>();
  const add = (entry: ValueMap, facts: Omit<PageAttack, 'document' | 'agent'>): void => {
    const index = names.find(textIn(entry, 'document') ?? '');
    if (index === undefined) return;
    const place = { document: index, agent: agent(textIn(entry, 'agent') ?? '') };
    const key = `${place.document} ${place.agent}`;
    attacks.set(key, { ...place, ...attacks.get(key), ...facts });
  };
  for (const entry of mapsIn(mapIn(results, 'statistics'), 'attacks')) {
    const [status, maxRate, settledEarly] = [
      textIn(entry, 'status') as AttackStatus | undefined,
      numberIn(entry, 'max_rate'),
      numberIn(entry, 'settled_early'),
    ];
    add(entry, {
      ...(status !== undefined && { status }),
      ...(maxRate !== undefined && maxRate > 0 && { maxRate }),
      ...(settledEarly !== undefined && { settledEarly }),
    });
  }
  for (const entry of mapsIn(mapIn(results, 'baseline'), 'attacks')) {
    const [change, found, why] = [
      textIn(entry, 'change') as ComparedAttack['change'] | undefined,
      textIn(entry, 'found'),
      textIn(entry, 'reason'),
    ];
    add(entry, {
      ...(change !== undefined && { change }),
      expected: textIn(entry, 'expected') ?? null,
      ...(found !== undefined && { found }),
      ...(why !== undefined && { why }),
    });
  }
  for (const entry of mapsIn(results, 'not_run')) {
    const name = textIn(entry, 'document') ?? '';
    if (name.endsWith(twinEnding)) continue;
    // A document without runs is named only here.
    if (names.find(name) === undefined) names.add({ document: { name } });
    add(entry, { notRun: numberIn(entry, 'runs') ?? 1 });
  }
  return [...attacks.values()];
}

/** The ending of a benign twin's name in plans. Twins are not attacks. */
const twinEnding = '.twin';
