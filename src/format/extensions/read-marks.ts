import { encode } from '../document/encode-document.ts';
import type { Phase } from '../model/attack-document.ts';
import type { Mark, WrittenMark } from '../model/document-mark.ts';
import { payloadKey, wireKey } from '../model/extension-keys.ts';
import type { NormalizedActor, NormalizedDocument, NormalizedPhase } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { findAt, parsePointer } from '../model/pointer.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { types } from '../registry/fields.ts';
import type { MarkRuleId } from '../registry/rules.ts';
import { findNearest } from '../registry/suggestions.ts';
import { createFinding, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';
import { readWrittenWire } from './read-wire.ts';

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

/** A shorter text is no reason that somebody else can check. */
const shortestReason = 20;

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
  const findOwner = createOwnerFinder(actors);
  const phases = new Map<Phase, ValueMap>();
  for (const [index, mark] of written) {
    if (violations.length >= mostViolations) break;
    const path = [...payloadPath, index];
    const owner = findOwner(mark, path);
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
    const { benign, needed = true, why } = mark;
    if (why !== undefined && why.trim().length < shortestReason)
      report(
        'O-271',
        createFinding(
          [...path, 'why'],
          `the reason has fewer than ${shortestReason} characters`,
          'say why the attack succeeds without this mark too, or leave `why` out',
        ),
      );
    marks.set(index, {
      actor: actor.name,
      phase: phase.name,
      at: mark.at,
      ...(benign !== undefined && { benign }),
      needed,
      ...(why !== undefined && { why }),
    });
  }
  for (const finding of findOverlaps(marks, payloadPath)) {
    if (violations.length >= mostViolations) break;
    report('O-204', finding);
  }
  return { marks, violations };
}

/** A phase as it is written, with the `x-wire` rules that the single-phase form has beside its state. */
export function restoreWrittenPhase(
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

/** Finds overlapping marks. Two marks overlap if one points at the other's value or into it. */
export function* findOverlaps(marks: ReadonlyMap<number, Mark>, path: Path): Generator<RuleFinding> {
  const places = new Map<string, number>();
  const createPlaceKey = ({ actor, phase }: Mark, pointer: string): string => JSON.stringify([actor, phase, pointer]);
  for (const [index, mark] of marks) {
    const place = createPlaceKey(mark, mark.at);
    if (!places.has(place)) places.set(place, index);
  }
  for (const [index, mark] of marks) {
    for (let end = mark.at.indexOf('/', 1); ; end = mark.at.indexOf('/', end + 1)) {
      const pointer = end < 0 ? mark.at : mark.at.slice(0, end);
      const other = places.get(createPlaceKey(mark, pointer));
      if (other !== undefined && other !== index) {
        yield createFinding(
          [...path, index, 'at'],
          `${quoteValue(mark.at)} stands within ${quoteValue(pointer)}, which mark ${other + 1} of the list marks already`,
          'leave one of them out',
        );
        break;
      }
      if (end < 0) break;
    }
  }
}

export type MarkOwner =
  | { readonly ok: true; readonly actor: NormalizedActor; readonly phase: NormalizedPhase }
  | { readonly ok: false; readonly finding: RuleFinding };

/** Finds the actor and the phase of a mark. A mark may omit a name if there is only one candidate. */
export function createOwnerFinder(actors: readonly NormalizedActor[]): (mark: WrittenMark, path: Path) => MarkOwner {
  const namedActors = groupByName('actor', actors);
  const namedPhases = new Map(actors.map((actor) => [actor, groupByName('phase', actor.phases)]));
  return (mark, path) => {
    const actor = findNamed(namedActors, mark.actor, path);
    if (!actor.ok) return actor;
    const phase = findNamed(namedPhases.get(actor.item) ?? groupByName('phase', []), mark.phase, path);
    return phase.ok ? { ok: true, actor: actor.item, phase: phase.item } : phase;
  };
}

interface Named<T> {
  readonly kind: 'actor' | 'phase';
  readonly items: readonly T[];
  readonly byName: ReadonlyMap<string, readonly T[]>;
}

function groupByName<T extends { readonly name: string }>(kind: Named<T>['kind'], items: readonly T[]): Named<T> {
  const named = new Map<string, T[]>();
  for (const item of items) {
    const same = named.get(item.name);
    if (same === undefined) named.set(item.name, [item]);
    else same.push(item);
  }
  return { kind, items, byName: named };
}

type NamedSearchResult<T> =
  | { readonly ok: true; readonly item: T }
  | { readonly ok: false; readonly finding: RuleFinding };

/** The number of names that a hint lists or considers. A document may have thousands. */
const mostNames = 20;

function findNamed<T>({ kind, items, byName }: Named<T>, name: string | undefined, path: Path): NamedSearchResult<T> {
  const [item, ...more] = name === undefined ? items : (byName.get(name) ?? []);
  if (item !== undefined && more.length === 0) return { ok: true, item };
  const wrong = (message: string, hint: string): NamedSearchResult<T> => ({
    ok: false,
    finding: createFinding(name === undefined ? path : [...path, kind], message, hint),
  });
  if (name !== undefined && item !== undefined)
    return wrong(`more than one ${kind} is named ${quoteValue(name)}`, `give each ${kind} a name of its own`);
  const names = [...byName.keys()].slice(0, mostNames);
  const there = names.length === 0 ? `there is no ${kind}` : `it can be ${names.map(quoteValue).join(', ')}`;
  if (name === undefined) return wrong(`the mark names no ${kind}`, there);
  const meant = findNearest(
    name,
    names.filter(({ length }) => length <= 64),
  );
  return wrong(
    `no ${kind} is named ${quoteValue(name)}`,
    meant === undefined ? there : `did you mean ${quoteValue(meant)}?`,
  );
}

export interface MarkShape {
  /** The well-formed marks, each with its index in the list. */
  readonly written: readonly (readonly [index: number, mark: WrittenMark])[];
  readonly findings: readonly RuleFinding[];
}

/** Checks marks against the field table. Decoding keeps extensions as they are, so nothing has checked them before. */
export function checkShape(payload: Value, path: Path): MarkShape {
  if (!Array.isArray(payload)) return { written: [], findings: [createFinding(path, 'expected a list of marks')] };
  const items = payload as readonly Value[];
  const findings: RuleFinding[] = [];
  const written: (readonly [number, WrittenMark])[] = [];
  for (const [index, item] of items.entries()) {
    const wrong = [...findMarkFlaws(item, [...path, index])];
    findings.push(...wrong);
    if (wrong.length === 0) written.push([index, item as unknown as WrittenMark]);
  }
  // Without a needed mark, an agent could "resist" an attack that never reached it.
  if (findings.length === 0 && written.every(([, { needed }]) => needed === false))
    findings.push(
      items.length === 0
        ? createFinding(path, 'there is no mark in the list', 'mark what is the attack, or leave the key out')
        : createFinding(path, 'none of the marks is needed', 'leave `needed: false` out where the attack begins'),
    );
  return { written, findings };
}

const { fields } = types.Mark;
const names = Object.keys(fields);

function* findMarkFlaws(item: Value, path: Path): Generator<RuleFinding> {
  if (!isValueMap(item)) {
    yield createFinding(path, 'expected a mapping', 'write a mark such as {at: /state/tools/0/description}');
    return;
  }
  for (const key of Object.keys(item)) if (!names.includes(key)) yield reportUnknownMarkKey(key, path);
  for (const name of names) {
    const flaw = findKeyFlaw(item, name);
    if (flaw !== undefined) yield createFinding(Object.hasOwn(item, name) ? [...path, name] : path, ...flaw);
  }
}

function findKeyFlaw(item: ValueMap, name: string): [message: string, hint?: string] | undefined {
  const field = fields[name];
  const value = getOwnValue(item, name);
  if (value === undefined) return field?.required ? [`required field \`${name}\` is missing`] : undefined;
  if (field?.type.kind === 'string' && typeof value !== 'string')
    return [`expected a string, found ${quoteValue(value)}`, 'put it in quotes'];
  if (field?.type.kind === 'boolean' && typeof value !== 'boolean')
    return [`expected true or false, found ${quoteValue(value)}`];
  return undefined;
}

function reportUnknownMarkKey(key: string, path: Path): RuleFinding {
  const meant = findNearest(key, names);
  const hint = meant === undefined ? `a mark has ${names.join(', ')}` : `did you mean \`${meant}\`?`;
  return createFinding([...path, key], `unknown field ${quoteValue(key)}`, hint);
}
