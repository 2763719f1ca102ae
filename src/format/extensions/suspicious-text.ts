// Finds the parts of a text that read like instructions to an agent. It only guesses: a person decides, or a run asks for more.

/** A part of a text, in UTF-16 offsets. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

/** Longer texts are looked at only up to here. */
const longestText = 20_000;
const longestSentence = 2_000;

// The texts are untrusted, so every expression here may read each character only a limited number of times.
const signs: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:previous|prior|above|earlier|all|other|any|your|system|instructions)\b/i,
  /\byou (?:must|shall|need to|have to|(?:are|have been) (?:now|required|instructed|asked|authori[sz]ed|operating))\b/i,
  /\b(?:must|always|never) (?:first |also |now |then )?(?!be\b)(?:[a-z]{2,20}) (?:the|your|all|any|every|each|an?|it|them|this|that|to)\b/i,
  /\b(?:do not|don't|never) (?:tell|mention|inform|reveal|disclose|notify|ask|alert|show|explain|warn)\b/i,
  /\b(?:before|after|when(?:ever)?|prior to) (?:using|calling|answering|responding|invoking|delegating|every|the user asks|you)\b/i,
  /\b(?:IMPORTANT|SYSTEM|MANDATORY|CRITICAL|URGENT|ATTENTION|OVERRIDE|ADMIN|INSTRUCTIONS?)\b|\baction.required\b|\[(?:system|admin|instructions?|internal)\b/,
  /\b(?:assistants?|ai|agents?|models?|llms?)\b[^.]{0,60}\b(?:must|should|shall|needs? to|please|required|instructed)\b/i,
  /\bplease (?:also |now |first |then )?(?:send|forward|include|call|use|run|read|provide|confirm|enter|pass|append|share)\b/i,
  /\b(?:send|forward|e?mail|post|upload|transmit|deliver|share|transfer|submit|include|append|add|attach|bcc|copy)\b[^\n]{0,80}(?:\w@\w|https?:\/\/|\bbcc\b)/i,
  /\b(?:include|append|attach|embed|pass|provide|repeat|output|reveal|disclose|print|collect|send|forward|ask for|enter|share)\b[^.]{0,60}\b(?:system (?:prompt|message)|instructions|conversation|chat history|credentials?|passwords?|api.?keys?|access tokens?|secrets?|private key|ssh|environment variables?)\b/i,
  // Base64 of text: in ASCII the highest bit of each byte is 0, which rules out half of the digits in three of four places.
  /(?<![A-Za-z\d+/])(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z\d+/]){10}/,
  /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u{e0000}-\u{e007f}]/u,
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u,
];

/** Blocks that are hidden from people or set apart for a model: all of them is suspicious. */
const blocks: readonly (readonly [open: RegExp, close: (open: string) => string])[] = [
  [/<!--/g, () => '-->'],
  [/<(?:important|system|instructions?|admin|hidden|secret|assistant|directive)\b/gi, (open) => `</${open.slice(1)}`],
];

/** The parts of a text that read like instructions to an agent. `names` are those of tools and agents other than its own. */
export function findSuspiciousParts(whole: string, names: readonly string[] = []): readonly TextPart[] {
  const text = whole.slice(0, longestText);
  const parts = [...findBlocks(text)];
  let heading: TextPart | undefined;
  for (const sentence of splitSentenceParts(text)) {
    const words = text.slice(sentence.from, sentence.to).replace(/\s+/g, ' ');
    const isSuspicious = signs.some((sign) => sign.test(words)) || names.some((name) => namesThing(words, name));
    if (isSuspicious) parts.push({ from: heading?.from ?? sentence.from, to: findParagraphEnd(text, sentence.to) });
    const isHeading = words.trimEnd().endsWith(':') && !text.startsWith('\n\n', sentence.to);
    heading = isHeading ? { from: heading?.from ?? sentence.from, to: sentence.to } : undefined;
  }
  return parts.sort((a, b) => a.from - b.from);
}

/** What follows an instruction in its paragraph belongs to it. */
function findParagraphEnd(text: string, from: number): number {
  const end = text.indexOf('\n\n', from);
  return end < 0 ? text.length : end;
}

/** The text without these parts, and without the gaps that they leave. */
export function removeParts(text: string, parts: readonly TextPart[]): string {
  let rest = '';
  let at = 0;
  for (const { from, to } of parts) {
    if (from > at) rest += text.slice(at, from);
    at = Math.max(at, to);
  }
  return (rest + text.slice(at))
    .replace(/[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The sentence around a part. */
export function findSentenceAround(text: string, { from, to }: TextPart): TextPart {
  const touched = [...splitSentenceParts(text)].filter((sentence) => sentence.from < to && sentence.to > from);
  return { from: touched[0]?.from ?? from, to: touched.at(-1)?.to ?? to };
}

function* findBlocks(text: string): Generator<TextPart> {
  const lower = text.toLowerCase();
  for (const [open, close] of blocks) {
    let end = 0;
    for (const { 0: opening, index } of text.matchAll(open)) {
      if (index < end) continue;
      const closing = close(opening.toLowerCase());
      const at = lower.indexOf(closing, index);
      if (at < 0) break;
      const after = lower.indexOf('>', at);
      end = after < 0 ? text.length : after + 1;
      yield { from: index, to: end };
    }
  }
}

/** Sentences, which may go over several lines, and paragraphs without a full stop. */
function* splitSentenceParts(text: string): Generator<TextPart> {
  let from = 0;
  for (const { 0: gap, index } of text.matchAll(/(?<=[.!?:]["')\]]?)\s|\n(?=\s{0,20}(?:\n|[-*#\d<[]))/g)) {
    yield* cutPart(from, index);
    from = index + gap.length;
  }
  yield* cutPart(from, text.length);
}

function* cutPart(from: number, to: number): Generator<TextPart> {
  for (let at = from; at < to; at += longestSentence) yield { from: at, to: Math.min(to, at + longestSentence) };
}

/** Names that are words of the language say nothing. */
function namesThing(words: string, name: string): boolean {
  return /[_-]|[a-z][A-Z]/.test(name) && words.includes(name);
}
