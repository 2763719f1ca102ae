import type { Indicator } from '../model/attack-document.ts';
import type { Mark } from '../model/document-mark.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { findAt, formatPointer, isWithin } from '../model/pointer.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { cacheByPart } from '../primitives/cache-by-part.ts';
import { isDeepEqual } from '../primitives/deep-equals.ts';
import { compileCondition } from '../primitives/evaluate-condition.ts';
import { isClientMode, speaksInMessages } from '../registry/known-modes.ts';
import { restoreWrittenPhase } from './read-marks.ts';
import { findSentenceAround, findSuspiciousParts, removeParts, type TextPart } from './suspicious-text.ts';

// Guesses which values of a document are its payload. A person decides; until then, a run needs what is guessed.

/** A value that may be part of the payload, and why. */
export interface ProposedMark extends Mark {
  readonly reasons: readonly string[];
}

export interface MarkProposals {
  readonly marks: readonly ProposedMark[];
  /** Values that only an indicator looks for: they may be bait. */
  readonly doubtful: readonly ProposedMark[];
}

/** A document may have very many texts. */
const mostTexts = 5_000;
const mostProposals = 200;

/** Proposes marks for a document, whatever marks it has. */
export const proposeMarks = cacheByPart((document: NormalizedDocument): MarkProposals => {
  const { actors } = document.attack.execution;
  const search = compileSearch(document.attack.indicators ?? []);
  // Where only clients attack, the user's words are the attack.
  const isUserHonest = actors.some(({ mode }) => !isClientMode(mode));
  const names = actors.flatMap(({ phases }) => phases.flatMap(({ state }) => listNames(state)));
  const found = actors.flatMap((actor) =>
    listPhaseContents(document, actor, isUserHonest).flatMap((content) => proposeForPhase(content, names, search)),
  );
  const strong = found.filter(({ strength }) => strength === 'sure');
  const marks = strong.length > 0 ? strong : found.filter(({ strength }) => strength === 'likely');
  const doubtful = found.filter((each) => !marks.includes(each));
  return { marks: separateProposals(marks), doubtful: doubtful.slice(0, mostProposals).map(dropStrength) };
});

/** `bait`: what only an indicator looks for, among the words of an honest user. */
type Proposal = ProposedMark & { readonly strength: 'sure' | 'likely' | 'bait' };

/** Drops proposals within others, so that no two overlap, and needs the same text only once. */
function separateProposals(proposals: readonly Proposal[]): readonly ProposedMark[] {
  const kept: Proposal[] = [];
  for (const each of proposals.slice(0, mostProposals)) {
    const isHeld = proposals.some(
      (other) =>
        other !== each && other.actor === each.actor && other.phase === each.phase && isWithin(each.at, other.at),
    );
    if (!isHeld) kept.push(each);
  }
  return kept.map(dropStrength);
}

function dropStrength({ strength: _, ...proposal }: Proposal): ProposedMark {
  return proposal;
}

interface PhaseContent {
  readonly actor: string;
  readonly phase: string;
  /** Whether it speaks for an honest user. */
  readonly isUser: boolean;
  readonly value: Value;
  readonly texts: readonly PlacedText[];
  /** The differences from the phase before that writes a state. */
  readonly changes: readonly Change[];
  readonly before: string | undefined;
  /** The texts of the phases before. */
  readonly known: ReadonlySet<string>;
}

interface PlacedText {
  readonly path: Path;
  readonly text: string;
}

interface Change {
  readonly path: Path;
  /** Undefined if the phase before has nothing there. */
  readonly benign: Value | undefined;
}

function listPhaseContents(
  document: NormalizedDocument,
  actor: NormalizedActor,
  isUserHonest: boolean,
): readonly PhaseContent[] {
  const contents: PhaseContent[] = [];
  let last: { readonly name: string; readonly state: Value } | undefined;
  let known: ReadonlySet<string> = new Set();
  for (const phase of actor.phases) {
    const { state = null, on_enter = null } = restoreWrittenPhase(document, actor, phase);
    const value = { state, on_enter };
    const isUser = isUserHonest && speaksInMessages(actor.mode);
    const texts = [...listTexts(value, [])].filter(({ path }) => !(isUser && isUserWords(path, value)));
    const isLater = last !== undefined && state !== null && !isClientMode(actor.mode);
    contents.push({
      actor: actor.name,
      phase: phase.name,
      isUser,
      value,
      texts: texts.slice(0, mostTexts),
      changes: isLater ? [...listChanges(last?.state ?? null, state, ['state'])] : [],
      before: last?.name,
      known,
    });
    known = new Set([...known, ...texts.map(({ text }) => text)]);
    if (state !== null) last = { name: phase.name, state };
  }
  return contents;
}

const honestRoles: ReadonlySet<Value | undefined> = new Set(['user', 'system', 'developer']);

/** Whether a text of a client actor is what the user or the application says, not what an attacker put beside it. */
function isUserWords([, key, list, index]: Path, value: Value): boolean {
  if (key !== 'run_agent_input') return true;
  const message = findAt(value, ['state', 'run_agent_input', String(list), String(index)]);
  return list === 'messages' && isValueMap(message) && honestRoles.has(message.role);
}

function proposeForPhase(content: PhaseContent, names: readonly string[], search: IndicatorSearch): Proposal[] {
  const { actor, phase, isUser, value, texts, changes, before, known } = content;
  const proposals = new Map<string, Proposal>();
  const propose = (
    at: string,
    benign: Value | undefined,
    reasons: readonly string[],
    more: Partial<Proposal>,
  ): void => {
    proposals.set(at, {
      ...{ actor, phase, at, needed: true, strength: 'sure', reasons },
      ...(benign !== undefined && { benign }),
      ...more,
    });
  };
  for (const { path, text } of texts) {
    const own = listNames(findAt(value, path.slice(0, 3).map(String)));
    const others = names.filter((name) => !own.includes(name));
    const parts = findSuspiciousParts(text, others);
    const hits = search(text);
    if (parts.length + hits.length === 0) continue;
    const reasons = [
      ...(parts[0] === undefined ? [] : [`reads like an instruction: ${quotePart(text, parts[0])}`]),
      ...hits.map(({ id }) => `${id} looks for a value in it`),
    ];
    const cut = parts.length > 0 ? parts : hits.map(({ part }) => findSentenceAround(text, part));
    const strength = parts.length > 0 ? 'sure' : isUser ? 'bait' : 'likely';
    propose(formatPointer(path), removeParts(text, cut), reasons, { needed: !known.has(text), strength });
  }
  for (const path of listQuestions(value))
    propose(formatPointer(path), undefined, ['asks the agent something on its own'], {});
  for (const { path, benign } of changes) {
    const at = formatPointer(path);
    const text = proposals.get(at);
    // A text that was the suspicious one before has become honest.
    const wasSuspicious = typeof benign === 'string' && findSuspiciousParts(benign, names).length > 0;
    if (wasSuspicious) continue;
    const why = benign === undefined ? `is not in phase "${before}"` : `differs from phase "${before}"`;
    propose(at, benign, [why, ...(text?.reasons ?? [])], {});
  }
  return [...proposals.values()];
}

/** The requests of a server. What an honest server asks is seldom the point of an attack. */
function* listQuestions(value: Value): Generator<Path> {
  for (const key of ['elicitations', 'sampling_requests']) {
    const list = findAt(value, ['state', key]);
    if (Array.isArray(list)) for (const index of list.keys()) yield ['state', key, index];
  }
}

const mostQuoted = 80;

function quotePart(text: string, { from, to }: TextPart): string {
  const words = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return JSON.stringify(words.length > mostQuoted ? `${words.slice(0, mostQuoted)}…` : words);
}

/** Keys whose values are names or conditions, and are not read as text. */
const unreadKeys: ReadonlySet<string> = new Set(
  'name uri uriTemplate id mimeType type kind role url version method protocol_version messageId threadId runId when match synthesize required capabilities'.split(
    ' ',
  ),
);

function* listTexts(value: Value, path: Path): Generator<PlacedText> {
  if (typeof value === 'string') yield { path, text: value };
  else if (Array.isArray(value))
    for (const [index, item] of (value as readonly Value[]).entries()) yield* listTexts(item, [...path, index]);
  else if (isValueMap(value))
    for (const [key, item] of Object.entries(value)) if (!unreadKeys.has(key)) yield* listTexts(item, [...path, key]);
}

const nameKeys = ['name', 'uri', 'uriTemplate', 'id'];

/** The names of the things in a state, or of one thing. */
function listNames(value: Value | undefined): readonly string[] {
  if (!isValueMap(value)) return [];
  const { tools, agent_card: card, name, id } = value;
  const skills = isValueMap(card) ? card.skills : undefined;
  const held = [tools, skills].flatMap((list) => (Array.isArray(list) ? (list as readonly Value[]) : []));
  const own = held.length > 0 ? held.flatMap((each) => (isValueMap(each) ? [each.name, each.id] : [])) : [name, id];
  return own.filter((each): each is string => typeof each === 'string' && each !== '');
}

/** The outermost differences of a value from an earlier one. Entries of lists are compared by their names. */
function* listChanges(before: Value, now: Value, path: Path): Generator<Change> {
  if (isDeepEqual(before, now)) return;
  if (isValueMap(before) && isValueMap(now)) {
    for (const [key, value] of Object.entries(now)) {
      if (unreadKeys.has(key)) continue;
      if (Object.hasOwn(before, key)) yield* listChanges(before[key] ?? null, value, [...path, key]);
      else yield { path: [...path, key], benign: undefined };
    }
  } else if (Array.isArray(before) && Array.isArray(now)) {
    for (const [index, item] of (now as readonly Value[]).entries()) {
      const other = findCounterpart(before as readonly Value[], item, index);
      if (other === undefined) yield { path: [...path, index], benign: undefined };
      else yield* listChanges(other, item, [...path, index]);
    }
  } else yield { path, benign: before };
}

function findCounterpart(list: readonly Value[], item: Value, index: number): Value | undefined {
  const key = isValueMap(item) ? nameKeys.find((each) => typeof item[each] === 'string') : undefined;
  if (key === undefined || !isValueMap(item)) return list[index];
  return list.find((other) => isValueMap(other) && other[key] === item[key]);
}

type IndicatorSearch = (text: string) => readonly { readonly id: string; readonly part: TextPart }[];

/** Searches a text for what indicators look for. A pattern that also fits an empty text or any word looks for no value. */
function compileSearch(indicators: readonly (Indicator & { readonly id: string })[]): IndicatorSearch {
  const compiled = indicators.flatMap(({ id, pattern }) => {
    if (pattern?.condition === undefined) return [];
    const condition = compileCondition(pattern.condition);
    const isAny = ['', 'x', 'any word'].some((text) => condition.test(text, () => text) === true);
    return isAny ? [] : [{ id, condition }];
  });
  return (text) =>
    compiled.flatMap(({ id, condition }) => {
      if (condition.test(text, () => text) !== true) return [];
      return [{ id, part: condition.span(text) ?? { from: 0, to: text.length } }];
    });
}
