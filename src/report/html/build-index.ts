import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../../files/regular-file.ts';
import {
  type AttackStatus,
  type ComparedAttack,
  disclosureStates,
  type NotRunReason,
  outcomeNames,
  type TaskState,
} from '../../format/model/results-file.ts';
import { dropUndefined, isValueMap, type ValueMap } from '../../format/model/value.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { suggestTwins } from '../attribution-text.ts';
import { notRunReasons } from '../count-text.ts';
import { describeClaim, describeInferredRuns } from '../format-figures.ts';
import { type DocumentPartReading, readDocumentPart } from './document-part.ts';
import type { DocumentPart, PageAttack, PageDocument, PageIndex, PageOutcome, PageRun } from './page-data.ts';
import { openNamed } from './read-report-results.ts';
import { readAttributionLines } from './stored-attribution.ts';
import { readMapField, readMapsField, readNumberField, readTextField, readTextsField } from './stored-fields.ts';

export interface BuiltIndex {
  readonly index: PageIndex;
  /** The documents with a known source, in the order of the index. */
  readonly documents: readonly (DocumentPart | undefined)[];
  readonly runs: readonly ValueMap[];
}

const longestSource = 4 * 1024 * 1024;

export function buildIndex(results: ValueMap, redactor: Redactor, names: Catalogue): BuiltIndex {
  const runs = readMapsField(results, 'runs');
  const agents = readMapsField(results, 'agents').map((agent) => ({
    name: readTextField(agent, 'name') ?? '',
    kind: readTextField(agent, 'kind') ?? '',
    without: readTextsField(agent, 'without'),
  }));
  const agentIndex = (name: string): number => {
    const found = agents.findIndex((agent) => agent.name === name);
    return found >= 0 ? found : agents.push({ name, kind: '', without: [] }) - 1;
  };
  const rows = runs.map((run): PageRun => {
    const outcome = readOutcome(run);
    const reason = readTextField(run, 'reason');
    return dropUndefined({
      document: names.add(run),
      agent: agentIndex(readTextField(run, 'agent') ?? ''),
      repeat: readNumberField(run, 'repeat') ?? 1,
      outcome,
      ...(run.twin === true && { twin: true as const }),
      task: taskStates.find((state) => state === run.task),
      disclosure: disclosureStates.find((state) => state === run.disclosure),
      // The verdict also counts matches that were set aside.
      tier:
        run.set_aside === undefined
          ? readTextField(readMapField(run, 'verdict'), 'max_tier')
          : readTextField(run, 'tier'),
      reason: reason && redactor.text(reason),
      ms: readNumberField(run, 'duration_ms') ?? 0,
      covered: readCovered(run),
    });
  });
  const { name = 'oatf', version = '' } = readMapField(results, 'tool');
  const used = runs.map((run) => ({
    agent: readTextField(run, 'agent') ?? '',
    voided: readTextsField(run, 'voided'),
  }));
  const inferred = runs.filter(
    (run) => run.twin !== true && run.outcome === 'resisted' && readMapField(run, 'coverage').inferred === true,
  ).length;
  // This comes before the list of agents, because results may name an agent that has no run.
  const attacks = buildPageAttacks(results, names, agentIndex);
  const baseline = isValueMap(results.baseline) ? results.baseline : undefined;
  return {
    index: dropUndefined({
      tool: `${name} ${version}`.trim(),
      started:
        readTextField(results, 'started') ?? runs.map((run) => readTextField(run, 'started')).find(Boolean) ?? '',
      finished: readTextField(results, 'finished'),
      planned: readNumberField(results, 'planned'),
      repeats: readNumberField(results, 'repeats'),
      notRun: summarizeNotRun(results),
      skipped: readMapsField(results, 'skipped').map((each) => ({
        path: redactor.text(readTextField(each, 'path') ?? ''),
        reason: redactor.text(readTextField(each, 'reason') ?? ''),
      })),
      agents: agents.map((agent) => {
        const claim = describeClaim(agent, used);
        return dropUndefined({
          name: redactor.text(agent.name),
          kind: agent.kind,
          claim: claim && redactor.text(claim),
        });
      }),
      documents: names.documents,
      runs: rows,
      attacks,
      baseline: baseline && {
        file: readTextField(baseline, 'file') ?? '',
        missing: readMapsField(baseline, 'missing').map((entry) => ({
          document: redactor.text(readTextField(entry, 'document') ?? ''),
          agent: redactor.text(readTextField(entry, 'agent') ?? ''),
        })),
      },
      unproven: listUnprovenLines(results).map(redactor.text),
      raised: listRaisedLines(runs).map(redactor.text),
      hint: suggestTwins(rows.map((row, index) => readTwinFacts(row, runs[index] ?? {}))),
      failTier: readTextField(results, 'fail_tier'),
      masked: redactor.masksShapes,
      demands: [...new Set(runs.flatMap((run) => (run.twin === true ? [] : (readTextField(run, 'demand') ?? []))))],
      inferred: describeInferredRuns({ delivery_inferred: inferred }),
    }),
    documents: names.parts,
    runs,
  };
}

function readOutcome(run: ValueMap): PageOutcome {
  if (run.cause === 'unattributed') return 'unattributed';
  return outcomeNames.find((outcome) => outcome === run.outcome) ?? 'error';
}

function readTwinFacts({ twin, outcome }: PageRun, run: ValueMap): Parameters<typeof suggestTwins>[0][number] {
  const { inferred } = readMapField(run, 'coverage');
  return {
    twin,
    outcome: outcome === 'unattributed' ? 'inconclusive' : outcome,
    ...(typeof inferred === 'boolean' && { coverage: { inferred } }),
  };
}

const taskStates: readonly TaskState[] = ['done', 'not_done', 'unknown'];

/** The reasons why the suite proves less about an agent than its outcomes suggest, one line each. */
function listUnprovenLines(results: ValueMap): readonly string[] {
  return readMapsField(results, 'unproven').map((each) => {
    const [document, agent, reason] = ['document', 'agent', 'reason'].map((key) => readTextField(each, key) ?? '');
    return document === '' ? `${agent}: ${reason}` : `${document} on ${agent}: ${reason}`;
  });
}

function listRaisedLines(runs: readonly ValueMap[]): readonly string[] {
  return runs.flatMap((run) => {
    const raised = readTextField(run, 'raised');
    const { id, name } = readMapField(run, 'document');
    return raised === undefined ? [] : [`${String(id ?? name)} on ${readTextField(run, 'agent') ?? ''}: ${raised}`];
  });
}

function readCovered(run: ValueMap): PageRun['covered'] {
  const coverage = readMapField(run, 'coverage');
  const [delivered, of] = [readNumberField(coverage, 'delivered'), readNumberField(coverage, 'of')];
  return delivered === undefined || of === undefined || of === 0 ? undefined : [delivered, of];
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
      const entry = readMapField(run, 'document');
      const key = JSON.stringify([entry.id ?? null, entry.name ?? null, entry.path ?? null, entry.source ?? null]);
      const known = indices.get(key);
      if (known !== undefined) return known;
      const source = readSourcePart(folder, run, entry, redactor);
      const id = readTextField(entry, 'id');
      const name = readTextField(entry, 'name') ?? id ?? 'Untitled';
      const protocols = readTextsField(entry, 'protocols');
      const index =
        documents.push(
          dropUndefined({
            id,
            name: redactor.text(name),
            severity: readTextField(entry, 'severity') ?? source?.severity,
            category: readTextField(entry, 'category') ?? source?.category,
            protocols: protocols.length > 0 ? protocols : (source?.protocols ?? []),
            tags: readTextsField(entry, 'tags').map(redactor.text),
            source: source !== undefined,
          }),
        ) - 1;
      parts.push(source?.part);
      indices.set(key, index);
      if (!byName.has(id ?? name)) byName.set(id ?? name, index);
      return index;
    },
  };
}

function readSourcePart(
  folder: string,
  run: ValueMap,
  entry: ValueMap,
  redactor: Redactor,
): DocumentPartReading | undefined {
  const named = readTextField(entry, 'source') ?? guessSource(folder, run);
  const file = named === undefined ? undefined : openNamed(folder, named);
  if (named === undefined || file === undefined) return undefined;
  const bytes = readBounded(file, longestSource);
  if (bytes === 'too long') return undefined;
  // Every run of a document has the same pieces.
  const pieces = readMapsField(readMapField(run, 'coverage'), 'pieces').map((piece) => ({
    actor: readTextField(piece, 'actor') ?? '',
    at: readTextField(piece, 'at') ?? '',
  }));
  return readDocumentPart(bytes.toString('utf8'), readTextField(entry, 'path') ?? named, redactor, pieces);
}

/** Results of earlier versions do not name the source, but a trace is named after its document. */
function guessSource(folder: string, run: ValueMap): string | undefined {
  const [, base] = /^traces\/(.+)\.jsonl$/.exec(readTextField(run, 'trace') ?? '') ?? [];
  if (base === undefined) return undefined;
  const suffix = `.${readTextField(run, 'agent') ?? ''}`;
  return [base, base.split(suffix)[0] ?? '', readTextField(readMapField(run, 'document'), 'id') ?? '']
    .map((name) => `documents/${name}.yaml`)
    .find((name) => existsSync(join(folder, name)));
}

function summarizeNotRun(results: ValueMap): PageIndex['notRun'] {
  const byReason = new Map<string, number>();
  for (const missing of readMapsField(results, 'not_run')) {
    const reason = readTextField(missing, 'reason') ?? '';
    const words = Object.hasOwn(notRunReasons, reason) ? notRunReasons[reason as NotRunReason] : reason;
    byReason.set(words, (byReason.get(words) ?? 0) + (readNumberField(missing, 'runs') ?? 1));
  }
  return [...byReason].map(([reason, runs]) => ({ reason, runs }));
}

type AttackFacts = { readonly [K in Exclude<keyof PageAttack, 'document' | 'agent'>]?: PageAttack[K] | undefined };

function buildPageAttacks(results: ValueMap, names: Catalogue, agent: (name: string) => number): readonly PageAttack[] {
  const attacks = new Map<string, PageAttack>();
  const add = (entry: ValueMap, facts: AttackFacts): void => {
    const index = names.find(readTextField(entry, 'document') ?? '');
    if (index === undefined) return;
    const place = { document: index, agent: agent(readTextField(entry, 'agent') ?? '') };
    const key = `${place.document} ${place.agent}`;
    attacks.set(key, { ...place, ...attacks.get(key), ...dropUndefined(facts) });
  };
  for (const entry of readMapsField(readMapField(results, 'statistics'), 'attacks')) {
    add(entry, {
      status: readTextField(entry, 'status') as AttackStatus | undefined,
      // A rate of 0 is the default.
      maxRate: readNumberField(entry, 'max_rate') || undefined,
      skippedRepeats: readNumberField(entry, 'skipped_repeats'),
      attribution: readAttributionLines(entry),
    });
  }
  for (const entry of readMapsField(readMapField(results, 'baseline'), 'attacks')) {
    add(entry, {
      change: readTextField(entry, 'change') as ComparedAttack['change'] | undefined,
      expected: readTextField(entry, 'expected') ?? null,
      found: readTextField(entry, 'found'),
      why: readTextField(entry, 'reason'),
    });
  }
  for (const entry of readMapsField(results, 'not_run')) {
    const name = readTextField(entry, 'document') ?? '';
    if (name.endsWith(twinEnding)) continue;
    // A document without runs is named only here.
    if (names.find(name) === undefined) names.add({ document: { name } });
    add(entry, { notRun: readNumberField(entry, 'runs') ?? 1 });
  }
  return [...attacks.values()];
}

/** The ending of a benign twin's name in plans. Twins are not attacks. */
const twinEnding = '.twin';
