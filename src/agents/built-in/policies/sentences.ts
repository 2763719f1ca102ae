import policyWords from '../../../../data/policy-words.json' with { type: 'json' };
import { actionsOfStem } from './action-classes.ts';
import { stemWord, stemWords } from './word-stems.ts';

const itemStart = /^\s*(?:[-*•>#]|\d{1,2}[.)]|[A-Za-z][.)]\s|[Ss]tep \d+|\[|<|\d{1,2}:\d{2}|[A-Z][\w ]{0,40}:\s*$)/;

const entry = /^\s*\w[\w -]{0,30}:\s/;
const maxSentences = 300;
const longestSentence = 2000;
// A line longer than this may have been wrapped.
const wrapped = 40;

/** Splits a text into sentences and list items; wrapped lines are joined first. */
export function splitSentences(text: string): readonly string[] {
  return unwrapLines(text)
    .flatMap(splitLine)
    .map((sentence) => sentence.trim().slice(0, longestSentence))
    .filter((sentence) => /\p{L}/u.test(sentence))
    .slice(0, maxSentences);
}

/** The lines of a text as they were before wrapping. */
export function unwrapLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const before = lines.at(-1) ?? '';
    if (continuesLine(before, line)) lines[lines.length - 1] = `${before} ${line.trim()}`;
    else lines.push(line.trim());
  }
  return lines;
}

export function splitLine(line: string): readonly string[] {
  return line.split(/(?<=[.!?]["')\]]?)\s+(?=["'([<]?[\p{Lu}\d[<])|(?<=[>\]])\s+|\s+(?=<)/u);
}

function continuesLine(before: string, line: string): boolean {
  if (before === '' || line.trim() === '' || itemStart.test(line) || /[.:!?]\s*$/.test(before)) return false;
  if (entry.test(line)) return false;
  return before.length >= wrapped || /^\s*\p{Ll}/u.test(line);
}

export function findFirstSentence(text: string): string {
  return splitSentences(text)[0] ?? '';
}

const number = /^\s*(?:[-*•>#]+|\d{1,2}[.)]|[Ss]tep \d+\s*[:.)-]?)\s+/;
const label =
  /^(?:[\s\-*•>#]+|\d{1,2}[.)]\s*|[Ss]tep \d+\s*[:.)-]?\s*|<!--|<\/?[\w-]+>|\[[^\]]*\]|[\w -]{0,60}[A-Z]{3,40}[^:.]{0,60}:|(?:\w+ ){0,3}\w+:)\s*/;
const otherImperatives = stemWords(policyWords.otherImperatives);

export function isOtherImperative(base: string): boolean {
  return otherImperatives.has(base);
}

const demanding =
  /\b(?:must|should|shall|required?|requires|mandatory|need(?:s|ed)? to|ha(?:s|ve) to|please|always|never|instead|before|immediately|do not|don't|make sure|important|instruct\w*)\b/i;

const addressing = /\b(?:you|assistants?|agents?|models?|ais?)\b.{0,60}\b(?:could|can|will|would|may)\b/i;

/** Whether a sentence tells the reader to do something. */
export function isInstruction(sentence: string): boolean {
  return demanding.test(sentence) || addressing.test(sentence) || startsImperatively(sentence);
}

/** The sentence without its list number, which must not be used in a calculation. */
export function dropItemNumber(sentence: string): string {
  return sentence.replace(number, '');
}

export function dropItemLabel(sentence: string): string {
  let rest = sentence;
  for (let bare = rest.replace(label, ''); bare !== rest && bare !== ''; bare = rest.replace(label, '')) rest = bare;
  return rest;
}

/** "For verification, read each file": an instruction may begin after a comma. */
function startsImperatively(sentence: string): boolean {
  return dropItemLabel(sentence)
    .split(/,\s*/)
    .some((part) => {
      // `relay.example/note` is an address, even if it begins with a verb.
      const [first = ''] = /^[\p{L}'-]+(?![./]\S)/u.exec(part) ?? [];
      const base = stemWord(first);
      return !/(?:s|ed|ing)$/.test(first.replace(/ss$/, '')) && (actionsOfStem.has(base) || otherImperatives.has(base));
    });
}

/**
 * The beginning of a text, with runs of white space shortened. The texts are untrusted, and expressions would scan the
 * same characters of long white space again and again.
 */
export function tidy(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, (gap) => (gap.indexOf('\n') === gap.lastIndexOf('\n') ? '\n' : '\n\n'));
}
