import { createRandom } from '../generate/random.ts';
import type { Canary } from '../model/document-canary.ts';
import { canariesKey, canaryKey } from '../model/extension-keys.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { getOwnValue, isValueMap, type Value } from '../model/value.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';
import type { CanaryRuleId } from '../registry/rules.ts';
import { findNearest } from '../registry/suggestions.ts';
import { createViolation, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';
import { canaryKinds, compactCanary } from './canary-kinds.ts';

/** How far apart the texts of one proof may stand, in characters. */
export const proofReach = 80;

/** The proofs that a canary leaked: each is a list of texts that stand near each other. */
export function listCanaryProofs({ kind, value, with: company = [] }: Canary): readonly (readonly string[])[] {
  const found = canaryKinds[kind];
  if (found === undefined) return [];
  const cores = found.findCores(value);
  if (found.needsAll) return [cores];
  if (!found.isSmall) return cores.map((core) => [core]);
  return cores.flatMap((core) => company.map((each) => [core, each]));
}

const between = '[\\s.,-]*';
const within = `[\\s\\S]{0,${proofReach}}`;

/** The regular expression that finds the core of a canary. */
export function writeCanaryRegex(canary: Canary): string {
  const write = canaryKinds[canary.kind]?.isSmall ? writeValueRegex : writeTextRegex;
  const proofs = listCanaryProofs(canary).flatMap((texts) => permute(texts.map(write)));
  return `(?i)${proofs.map((texts) => texts.join(within)).join('|')}`;
}

/** A short value counts only alone: not within a longer number. */
function writeValueRegex(text: string): string {
  return `\\b${writeTextRegex(text)}\\b`;
}

function writeTextRegex(text: string): string {
  const isWord = /^\p{L}+$/u.test(text);
  const characters = [...compactText(text)].map((each) => each.replace(/[+/]/, '\\$&'));
  return isWord ? text : characters.join(between);
}

/** Keeps what base64 and other text have besides letters and digits. */
function compactText(text: string): string {
  return text.replace(/[^\p{L}\p{N}+/_]/gu, '');
}

function permute(items: readonly string[]): readonly (readonly string[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, at) => permute(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** Draws a canary of this kind. The same seed and name give the same value. */
export function drawCanary(kind: string, seed: string, name: string): string | undefined {
  return canaryKinds[kind]?.draw(createRandom(`${seed}/${name}`));
}

/** The canaries of a document that could be read. */
export function listDocumentCanaries({ attack }: NormalizedDocument): readonly Canary[] {
  return readCanaries(getOwnValue(attack.extensions ?? {}, canariesKey)).canaries;
}

/** What an indicator looks for, if it names a canary. */
export function findIndicatorProofs(
  document: NormalizedDocument,
  { extensions }: NormalizedIndicator,
): readonly (readonly string[])[] | undefined {
  const name = getOwnValue(extensions ?? {}, canaryKey);
  if (name === undefined) return undefined;
  const canary = listDocumentCanaries(document).find((each) => each.name === name);
  return canary && listCanaryProofs(canary);
}

export interface CanaryViolation extends RuleFinding {
  readonly rule: CanaryRuleId;
}

const canariesPath: Path = ['attack', canariesKey];
const keys = ['name', 'kind', 'value', 'with'];

function readCanaries(written: Value | undefined): {
  readonly canaries: readonly Canary[];
  readonly violations: readonly CanaryViolation[];
} {
  if (written === undefined) return { canaries: [], violations: [] };
  if (!Array.isArray(written))
    return { canaries: [], violations: [createViolation('O-291', canariesPath, 'expected a list of canaries')] };
  const canaries: Canary[] = [];
  const violations: CanaryViolation[] = [];
  for (const [index, item] of (written as readonly Value[]).entries()) {
    const flaw = findCanaryFlaw(item, canaries);
    if (flaw === undefined) canaries.push(item as unknown as Canary);
    else violations.push(createViolation('O-291', [...canariesPath, index], ...flaw));
  }
  return { canaries, violations };
}

function findCanaryFlaw(item: Value, before: readonly Canary[]): [message: string, hint?: string] | undefined {
  if (!isValueMap(item)) return ['expected a mapping', 'write {name: note, kind: phrase, value: …}'];
  const { name, kind, value, with: company } = item;
  const unknown = Object.keys(item).find((key) => !keys.includes(key));
  if (unknown !== undefined) return [`unknown field ${quoteValue(unknown)}`, `a canary has ${keys.join(', ')}`];
  if (typeof name !== 'string' || name === '') return ['`name` is missing', 'give the canary a name'];
  if (before.some((each) => each.name === name)) return [`another canary is named ${quoteValue(name)}`];
  if (typeof value !== 'string') return ['`value` is missing or not a text', 'put it in quotes'];
  const known = typeof kind === 'string' ? canaryKinds[kind] : undefined;
  if (known === undefined) return describeUnknownKind(kind);
  if (!known.shape.test(value)) return [`${quoteValue(value)} does not look like a value of the kind ${kind}`];
  if (known.findCores(value).length < (known.needsAll ? 3 : 1))
    return [`${quoteValue(value)} has too little that nobody could guess`];
  const isCompany = Array.isArray(company) && company.length > 0 && company.every(isLongEnough);
  if (known.isSmall ? !isCompany : company !== undefined)
    return known.isSmall
      ? [
          `a value of the kind ${kind} could be guessed, so \`with\` has to list texts, one of which stands near it`,
          'name the person, the date or the city it belongs to: with: [Duarte]',
        ]
      : [`a canary of the kind ${kind} needs no \`with\``];
  return undefined;
}

function isLongEnough(text: Value): boolean {
  return typeof text === 'string' && compactCanary(text).length > 2;
}

function describeUnknownKind(kind: Value | undefined): [message: string, hint: string] {
  const names = Object.keys(canaryKinds);
  const meant = typeof kind === 'string' ? findNearest(kind, names) : undefined;
  return [
    kind === undefined ? '`kind` is missing' : `there is no kind ${quoteValue(kind)}`,
    meant === undefined ? `it can be ${names.join(', ')}` : `did you mean ${quoteValue(meant)}?`,
  ];
}

/** Finds every violation of the rules for canaries in a document that is otherwise valid. */
export function findCanaryViolations(document: NormalizedDocument): readonly CanaryViolation[] {
  const { canaries, violations } = readCanaries(getOwnValue(document.attack.extensions ?? {}, canariesKey));
  const { indicators = [] } = document.attack;
  return [
    ...violations,
    ...indicators.flatMap((indicator, index) =>
      findIndicatorFlaws(indicator, canaries, ['attack', 'indicators', index, canaryKey]),
    ),
  ];
}

function findIndicatorFlaws(
  { extensions, pattern }: NormalizedIndicator,
  canaries: readonly Canary[],
  path: Path,
): readonly CanaryViolation[] {
  const name = getOwnValue(extensions ?? {}, canaryKey);
  if (name === undefined) return [];
  const canary = canaries.find((each) => each.name === name);
  if (canary === undefined)
    return [
      createViolation(
        'O-292',
        path,
        `no canary is named ${quoteValue(name as Value)}`,
        canaries.length === 0
          ? `list it in attack.${canariesKey}`
          : `it can be ${canaries.map((each) => quoteValue(each.name)).join(', ')}`,
      ),
    ];
  const regex = writeCanaryRegex(canary);
  const condition = pattern?.condition;
  const isSame = condition !== undefined && isMatchCondition(condition) && condition.regex === regex;
  return isSame
    ? []
    : [
        createViolation(
          'O-292',
          path,
          `the pattern does not look for the core of ${quoteValue(canary.name)}`,
          `regex: '${regex}'`,
        ),
      ];
}
