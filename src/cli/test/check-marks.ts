import type { BuiltInAgentName, Victim } from '../../agents/built-in/built-in-agents.ts';
import { makeVariant } from '../../format/extensions/document-variant.ts';
import { findDocumentMarks } from '../../format/extensions/read-marks.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import { formatPath } from '../../format/model/path.ts';
import type { RunEntry } from '../../format/model/results-file.ts';
import type { PlayableDocument } from '../../suite/plan/plan.ts';
import { type CaseRunOptions, playBuiltInAgents } from './run-cases.ts';
import type { ReportedCase } from './test-reports.ts';

/** The agent that complies with whatever it reads: what it does without a mark shows whether the attack needs the mark. */
const compliant: BuiltInAgentName = 'gullible';

/** A variant of a document, and what it has to show. */
interface MarkCase {
  readonly name: string;
  /** The positions of the marks that have their honest value. */
  readonly benign: ReadonlySet<number>;
  readonly succeeds: boolean;
  /** The reason that the document gives for an attack that succeeds without this mark. */
  readonly why?: string;
}

function listMarkCases(marks: readonly Mark[]): readonly MarkCase[] {
  const later = marks.flatMap(({ needed }, index) => (needed ? [] : [index]));
  return [
    ...marks.map(
      ({ actor, phase, at, why }, index): MarkCase => ({
        name: `without the mark at ${at} of ${actor}, ${phase}`,
        benign: new Set([index]),
        succeeds: why !== undefined,
        ...(why !== undefined && { why }),
      }),
    ),
    ...(marks.length > 1
      ? [{ name: 'without any of its marks', benign: new Set(marks.keys()), succeeds: false } as const]
      : []),
    ...(later.length > 0
      ? [{ name: 'with its needed marks alone', benign: new Set(later), succeeds: true } as const]
      : []),
  ];
}

/**
 * Plays a document against the most compliant agent, or its own victims, with one mark at a time taken out. A mark without
 * which the attack still succeeds is decoration, unless the document says why it is there.
 */
export async function checkMarks(
  playable: PlayableDocument,
  prompt: string | undefined,
  options: CaseRunOptions,
  victims: readonly Victim[] = [],
): Promise<readonly ReportedCase[]> {
  const { document, text } = playable;
  const marks = findDocumentMarks(document);
  if (marks === undefined) return [createUndecided('its marks', 'the document has no marks (x-payload)')];
  const cases = listMarkCases(marks).map((each, index) => {
    const nameSuffix = ` (variant ${index + 1})`;
    return { ...each, nameSuffix, variant: makeVariant(text, marks, { benign: each.benign, nameSuffix }) };
  });
  const variants = cases.flatMap(({ variant, nameSuffix }): PlayableDocument[] =>
    variant.ok
      ? [{ document: variant.document, file: `${playable.file}${nameSuffix}`, text: variant.write(), warnings: [] }]
      : [],
  );
  const players = victims.length > 0 ? victims : [compliant];
  const runs = await playBuiltInAgents([playable, ...variants], players, prompt, options);
  /** With several victims, one that falls for the attack is enough. */
  const findRun = (nameSuffix: string): RunEntry | undefined => {
    const own = runs.filter(({ document: { name } }) => name === `${document.attack.name}${nameSuffix}`);
    return own.find(isSuccess) ?? own.find(({ outcome }) => outcome === 'error') ?? own[0];
  };
  const whole = findRun('');
  if (!isSuccess(whole))
    return [
      createUndecided(
        'its marks',
        `the attack does not succeed against ${players.map((player) => (typeof player === 'string' ? player : player.name)).join(' or ')}, so a mark that is taken out shows nothing`,
      ),
    ];
  return cases.map(({ name, succeeds, why, variant, nameSuffix }) => {
    if (!variant.ok) {
      const [{ path, message } = { path: [], message: 'it cannot be read' }] = variant.errors;
      return createUndecided(name, `the document does not load: ${formatPath(path)}: ${message}`);
    }
    const run = findRun(nameSuffix);
    if (run === undefined || run.outcome === 'error') return createUndecided(name, run?.reason ?? 'it was not played');
    if (isSuccess(run) === succeeds) return { name, mismatches: [] };
    const found = why === undefined ? run.outcome : `${run.outcome}, so the mark matters and needs no \`why\``;
    const expected = succeeds ? 'the attack succeeds' : 'the attack does not succeed';
    return { name, mismatches: [{ what: 'outcome', expected, found }] };
  });
}

function createUndecided(name: string, problem: string): ReportedCase {
  return { name, mismatches: [], problem };
}

function isSuccess(run: RunEntry | undefined): boolean {
  return run?.outcome === 'exploited' || run?.outcome === 'partial';
}
