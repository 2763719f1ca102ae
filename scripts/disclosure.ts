// Measures the rule of disclosure against labelled runs of ThoughtJack's benchmark: npm run disclosure -- [DIR] [--verbose]
// DIR holds scenarios/ID.yaml and traces/MODEL/ID.json. The labels and marks are in scripts/disclosure; the texts are not ours.
// It fails if the precision is below the bar at which the rule may be shipped.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { restoreWrittenPhase } from '../src/format/extensions/read-marks.ts';
import { loadMarked } from '../src/format/load-marked.ts';
import type { Mark } from '../src/format/model/document-mark.ts';
import type { NormalizedDocument } from '../src/format/model/normalized.ts';
import { findAt, parsePointer } from '../src/format/model/pointer.ts';
import { collectDocumentTexts } from '../src/judgement/disclosure/document-texts.ts';
import { findDisclosure } from '../src/judgement/disclosure/find-disclosure.ts';
import { publicFixture, tellFixtures } from '../test/support/public-fixtures.ts';
import stored from './disclosure/labels.json' with { type: 'json' };
import marksOf from './disclosure/marks.json' with { type: 'json' };
import { type Labels, measureAgreement, measureRule, type RuleAnswer, type Share } from './disclosure/measure.ts';
import { drawRuns, type RecordedRun, readRecordedRuns } from './disclosure/recorded-run.ts';

/** The precision at which the rule may be shipped. */
const bar = 0.95;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
const folder = positionals[0] ?? publicFixture('corpus/thoughtjack-benchmark');

if (folder === undefined) process.stdout.write(`${tellFixtures()}\n`);
else if (!existsSync(join(folder, 'traces'))) {
  process.stderr.write('usage: npm run disclosure -- [DIR] [--verbose]\nDIR holds scenarios/ and traces/\n');
  process.exitCode = 64;
} else process.exitCode = measure(folder);

function measure(from: string): number {
  const labels = stored.labels as Labels;
  const drawn = drawRuns(readRecordedRuns(from), Object.keys(labels).length, stored.seed);
  const strangers = drawn.filter(({ id }) => labels[id] === undefined);
  if (strangers.length > 0) {
    process.stderr.write(
      `${strangers.length} of ${drawn.length} drawn runs have no label: the corpus is another one\n`,
    );
    return 1;
  }
  const answers = drawn.map((run) => answer(run, from));
  const { same, of, kappa } = measureAgreement(labels);
  const unknown = answers.filter(({ state }) => state === 'unknown').length;
  process.stdout.write(
    `${of} runs, labelled twice: the same label in ${formatShare({ count: same, of })}, kappa ${kappa.toFixed(2)}\n`,
  );
  process.stdout.write(`the language of ${unknown} runs is not recognized\n`);
  const measured = ([0, 1] as const).map((reading) => measureRule(answers, labels, reading));
  for (const [index, { precision, recall }] of measured.entries())
    process.stdout.write(`reading ${index + 1}: precision ${formatShare(precision)}, recall ${formatShare(recall)}\n`);
  for (const { run, state, rule } of answers) {
    const isSame = labels[run] === 'dd' ? state === 'disclosed' : labels[run] === 'nn' && state !== 'disclosed';
    if (values.verbose && !isSame) process.stdout.write(`  ${run}: ${labels[run]}, ${rule ?? state}\n`);
  }
  return measured.every(({ precision }) => precision.count / precision.of >= bar) ? 0 : 1;
}

function formatShare({ count, of }: Share): string {
  return `${count} of ${of} (${((100 * count) / of).toFixed(1)} %)`;
}

/** Every run of the corpus ends with the words to the user, and the attack has arrived by then. */
function answer({ id, document, words }: RecordedRun, from: string): RuleAnswer {
  const loaded = loadScenario(join(from, 'scenarios', `${document}.yaml`));
  const { found, languages } = findDisclosure({
    said: [{ record: 0, text: words }],
    texts: collectDocumentTexts(loaded, listMarks(loaded, document)),
    rules: ['quotation', 'warning'],
  });
  if (found !== undefined) return { run: id, state: 'disclosed', rule: found.rule };
  return { run: id, state: languages.length === 0 ? 'unknown' : 'not_disclosed' };
}

function loadScenario(path: string): NormalizedDocument {
  const loaded = loadMarked(readFileSync(path, 'utf8'));
  if (!loaded.ok) throw new Error(`${path}: ${loaded.errors[0]?.message}`);
  return loaded.document;
}

interface StoredMark {
  readonly actor: string;
  readonly phase: string;
  readonly at: string;
  /** The part of the text that is the payload; absent if all of it is. */
  readonly span?: readonly [from: number, to: number];
}

/** The marks of a scenario, whose benign values are its own texts without the payload. */
function listMarks(document: NormalizedDocument, id: string): readonly Mark[] {
  const marks = (marksOf as unknown as { readonly [id: string]: readonly StoredMark[] })[id] ?? [];
  return marks.map(({ span, ...mark }): Mark => {
    const actor = document.attack.execution.actors.find(({ name }) => name === mark.actor);
    const phase = actor?.phases.find(({ name }) => name === mark.phase);
    const value = actor && phase && findAt(restoreWrittenPhase(document, actor, phase), parsePointer(mark.at) ?? []);
    if (value === undefined) throw new Error(`${id}: ${mark.at} leads to nothing`);
    if (span === undefined) return { ...mark, needed: true };
    const text = String(value);
    return { ...mark, needed: true, benign: text.slice(0, span[0]) + text.slice(span[1]) };
  });
}
