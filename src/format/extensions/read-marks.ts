import { encode } from '../document/encode-document.ts';
import { wireKey } from '../model/applied-wire-rule.ts';
import type { Phase } from '../model/attack-document.ts';
import type { Mark } from '../model/document-mark.ts';
import type { NormalizedActor, NormalizedDocument, NormalizedPhase } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { findAt, parsePointer } from '../model/pointer.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { readWrittenWire } from '../primitives/read-wire-rules.ts';
import { payloadKey } from '../registry/fields.ts';
import type { MarkRuleId } from '../registry/rules.ts';
import { createFinding, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';
import { findOverlaps } from './find-overlaps.ts';
import { createOwnerFinder } from './mark-owner.ts';
import { checkShape } from './mark-shape.ts';

/** The path of the marks in a document. */
export const payloadPath: Path = ['attack', payloadKey];

export interface MarkViolation extends RuleFinding {
  readonly rule: MarkRuleId;
}

export interface MarksReading {
  /** The marks that could be read, by their index in the list. */
  readonly marks: ReadonlyMap<number, Mark>;
  readonly violations: readonly MarkViolation[];
}

/**
 * The marks of a document. Undefined if it has none, or if another tool uses the key for something else: then the needed
 * pieces are inferred.
 */
export function findDocumentMarks(document: NormalizedDocument): readonly Mark[] | undefined {
  const { marks, violations } = readMarks(document);
  return marks.size > 0 && violations.length === 0 ? [...marks.values()] : undefined;
}

/** The value at a mark as the document writes it, without templates filled in. */
export function readMarkedValue(document: NormalizedDocument, mark: Mark): Value | undefined {
  const { actors } = document.attack.execution;
  const actor = actors.find(({ name }) => name === mark.actor);
  const phase = actor?.phases.find(({ name }) => name === mark.phase);
  const keys = parsePointer(mark.at);
  return actor === undefined || phase === undefined || keys === undefined
    ? undefined
    : findAt(restoreWrittenPhase(document, actor, phase), keys);
}

/** Thousands of wrong marks have one cause, so more reports are not worth the time. */
const mostViolations = 100;

/** Reads and checks the marks. It does not check whether the benign twin loads. */
export function readMarks(document: NormalizedDocument): MarksReading {
  const marks = new Map<number, Mark>();
  const violations: MarkViolation[] = [];
  const report = (rule: MarkRuleId, finding: RuleFinding): void => {
    violations.push({ rule, ...finding });
  };
  const payload = getOwnValue(document.attack.extensions ?? {}, payloadKey);
  if (payload === undefined) return { marks, violations };
  const { written, findings } = checkShape(payload, payloadPath);
  for (const finding of findings.slice(0, mostViolations)) report('O-201', finding);
  const { actors } = document.attack.execution;
  const ownerOf = createOwnerFinder(actors);
  const phases = new Map<Phase, ValueMap>();
  for (const [index, mark] of written) {
    if (violations.length >= mostViolations) break;
    const path = [...payloadPath, index];
    const owner = ownerOf(mark, path);
    if (!owner.ok) {
      report('O-202', owner.finding);
      continue;
    }
    const { actor, phase } = owner;
    const encoded = phases.get(phase as Phase) ?? restoreWrittenPhase(document, actor, phase);
    phases.set(phase as Phase, encoded);
    const problem = findPointerProblem(encoded, mark.at);
    if (problem !== undefined) {
      report('O-203', createFinding([...path, 'at'], ...problem));
      continue;
    }
    const { benign, needed = true } = mark;
    marks.set(index, {
      actor: actor.name,
      phase: phase.name,
      at: mark.at,
      ...(benign !== undefined && { benign }),
      needed,
    });
  }
  for (const finding of findOverlaps(marks, payloadPath)) {
    if (violations.length >= mostViolations) break;
    report('O-204', finding);
  }
  return { marks, violations };
}

/** A phase as it is written, with the `x-wire` rules that the single-phase form has beside its state. */
function restoreWrittenPhase(
  { attack: { execution } }: NormalizedDocument,
  actor: NormalizedActor,
  phase: NormalizedPhase,
): ValueMap {
  const rules = readWrittenWire(execution, actor, actor.phases.indexOf(phase));
  return { ...encode('Phase', phase as Phase), ...(rules !== undefined && { [wireKey]: rules }) };
}

/** The keys of a phase whose content is sent. Nothing else in a phase can reach an agent. */
const sent = ['state', 'on_enter', wireKey];

function findPointerProblem(phase: ValueMap, pointer: string): [message: string, hint?: string] | undefined {
  const keys = parsePointer(pointer);
  if (keys === undefined)
    return [
      `${quoteValue(pointer)} is not a JSON Pointer`,
      'begin with a slash; in a key, write ~1 for a slash and ~0 for a tilde: /state/tools/0/description',
    ];
  if (!sent.includes(keys[0] ?? ''))
    return [`${quoteValue(pointer)} leads to nothing that is sent`, 'begin with /state, /on_enter or /x-wire'];
  if (findAt(phase, keys) !== undefined) return undefined;
  const there = keys.findIndex((_, index) => findAt(phase, keys.slice(0, index + 1)) === undefined);
  return [
    `${quoteValue(pointer)} leads to nothing`,
    listAlternatives(findAt(phase, keys.slice(0, there)), keys[there]),
  ];
}

function listAlternatives(value: Value | undefined, key: string | undefined): string {
  const asked = quoteValue(key);
  if (Array.isArray(value)) return `there is no ${asked} in a list of ${value.length}; the first index is 0`;
  if (!isValueMap(value)) return `there is no ${asked} in a single value`;
  const keys = Object.keys(value).slice(0, 10);
  return keys.length === 0
    ? `there is no ${asked} in an empty mapping`
    : `these keys are there: ${keys.map(quoteValue).join(', ')}`;
}
