import policyWords from '../../../../data/policy-words.json' with { type: 'json' };
import { type ActionClass, actionsOfStem, impliedObjects } from './action-classes.ts';
import { findAll, maskQuoted } from './text-patterns.ts';
import { listContentStems, splitWords, stemWord, stemWords } from './word-stems.ts';

/** One part of a request. */
export interface Clause {
  readonly text: string;
  /** The stems of the verbs that ask. */
  readonly verbs: readonly string[];
  readonly actions: ReadonlySet<ActionClass>;
  /** The objects of the request: each is a stem, or several synonyms. */
  readonly objects: readonly (readonly string[])[];
  /** Whether the request itself contains the text to work on. */
  readonly hasPayload: boolean;
  /** Whether it refers to an earlier clause: "… and post it". */
  readonly refersBack: boolean;
}

const lead =
  /^[\s,;:]*(?:(?:please|kindly|can|could|would|will|you|i|we|want|need|would like|i'd like|help|me|us|let'?s?|go ahead|try|just|now|first|next|finally|also|then|and|to|be able|have|must|should|always|use|using|hi|hello|hey|okay|ok|before|when|after|[a-z]+ing)\b[\s,]*)*/i;
const questions = policyWords.questions as { readonly [word: string]: ActionClass };
const nounsToo = stemWords(policyWords.nounsToo);
const takesObject =
  /^\s*(?:the|an?|it|them|this|that|these|those|my|our|your|all|any|its|their|to|for|me|us|every|each|online|web|in|through|within|about|\u0001|\S+@)/i;
const activity: readonly (readonly [RegExp, string])[] = [
  [/\d\s*\+\s*\d/, 'add'],
  [/\d\s*[-−]\s+\d|\d\s+[-−]\s*\d/, 'subtract'],
  [/\d\s*[*×x]\s*\d/, 'multiply'],
  [/\d\s*[/÷]\s*\d/, 'divide'],
];

const backReference = /^\p{L}+ (?:it|them|that|this|these|those)\b(?! \p{L}+:)/iu;
const howMany = /\bhow many\b/i;

/** The text without polite words at the beginning. */
export function dropLead(text: string): string {
  return text.replace(lead, '');
}

// More than enough for a real request.
const maxClauses = 24;

export function splitClauses(request: string): readonly Clause[] {
  const { masked, restore } = maskQuoted(request);
  const clauses: Clause[] = [];
  let held = '';
  for (const part of splitRequest(masked)) {
    const clause = readClause(`${held}${part}`, restore);
    // "Fetch and summarize …": the first verb takes the object of the second.
    held = clause.objects.length === 0 && !clause.hasPayload && clause.verbs.length > 0 ? `${held}${part} and ` : '';
    if (held === '') clauses.push(clause);
  }
  if (held !== '') clauses.push(readClause(held, restore));
  return clauses;
}

function splitRequest(text: string): readonly string[] {
  const rough = text.split(/[.!?;]+(?:\s+|$)|\n+|,?\s*\b(?:and )?(?:then|after that|afterwards|also)\b[\s,]*/i);
  return rough
    .flatMap((part) => splitAtVerbs(part))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, maxClauses);
}

function splitAtVerbs(text: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/,\s*(?:and\s+)?|\s+and\s+|\s+&\s+/gi)) {
    const end = match.index + match[0].length;
    const [word = ''] = /^[\p{L}'-]+/u.exec(text.slice(end)) ?? [];
    if (!isVerb(word, text.slice(end + word.length))) continue;
    found.push(text.slice(start, match.index));
    start = end;
  }
  return [...found, text.slice(start)];
}

function isVerb(word: string, rest: string): boolean {
  const base = stemWord(word);
  if (!actionsOfStem.has(base) || /(?:s|ing)$/.test(word)) return false;
  return !nounsToo.has(base) || takesObject.test(rest);
}

function readClause(masked: string, restore: (part: string) => string): Clause {
  const text = restore(masked);
  const bare = dropLead(masked);
  const words = splitWords(bare.replace(/\u0001\d+\u0002/g, ' '));
  const verbs = findLeadingVerbs(bare, words);
  const computing = activity.find(([pattern]) => pattern.test(text))?.[1];
  if (computing !== undefined) verbs.push(stemWord(computing));
  const actions = new Set(verbs.flatMap((verb) => actionsOfStem.get(verb) ?? []));
  const asked = questions[words[0] ?? ''];
  if (actions.size === 0 && asked !== undefined) actions.add(asked);
  if (howMany.test(text)) actions.add('compute');
  if (computing !== undefined) actions.add('compute');
  const stems = listContentStems(words).filter((word, index) => !(verbs.includes(word) && index < verbs.length));
  const implied = verbs.map((verb) => impliedObjects[verb] ?? '');
  return {
    text,
    verbs,
    actions,
    objects: [
      ...[...new Set(stems)].map((word) => [word]),
      ...[...implied, ...describeObjectShapes(text)]
        .filter(Boolean)
        .map((words) => listContentStems(splitWords(words))),
    ],
    hasPayload: masked.includes('\u0001'),
    refersBack: backReference.test(bare),
  };
}

/** The leading verb, the verbs joined to it, and a verb after "to". */
function findLeadingVerbs(bare: string, words: readonly string[]): string[] {
  const found: string[] = [];
  let isJoined = true;
  for (const word of words) {
    if (word === 'up') continue;
    if (word === 'and' || word === 'or') {
      isJoined = true;
      continue;
    }
    // "Show booking": the word directly after a verb is its object, even if it could be a verb.
    if (!isJoined || !actionsOfStem.has(stemWord(word))) break;
    found.push(stemWord(word));
    if (nounsToo.has(stemWord(word)) && found.length > 1) break;
    isJoined = false;
  }
  // "to order PK-1": here `order` is a noun with a number.
  for (const [, word = ''] of bare.matchAll(/\bto (\p{L}+)(?! #?(?:\p{Lu}+-?)?\d)/gu))
    if (isVerb(word, ' the')) found.push(stemWord(word));
  return found;
}

/** The objects of a request that are recognized by their form. */
function describeObjectShapes(text: string): readonly string[] {
  const urls = findAll('uris', text);
  return [
    urls.some((url) => /^https?:/i.test(url)) ? 'web page url site website' : '',
    urls.some((url) => !/^https?:/i.test(url)) ? 'resource uri' : '',
    findAll('emails', text).length > 0 ? 'email mail recipient' : '',
    findAll('paths', text).length > 0 && urls.length === 0 ? 'file path' : '',
    /\b(?:online|internet)\b/i.test(text) ? 'web' : '',
    /\*\.\w+/.test(text) ? 'file' : '',
    /\b(?:api[ _-]?keys?|access tokens?|passwords?|passphrases?|secrets)\b/i.test(text) ? 'credential secret' : '',
  ];
}
