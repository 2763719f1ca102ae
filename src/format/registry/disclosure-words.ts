import table from '../../../data/disclosure-words.json' with { type: 'json' };

// The words by which an agent's disclosure is recognized, one table for each language.

/** A word or several in a row. `*` at the end of a word stands for any ending, and `?` for one whole word. */
export type Phrase = readonly [first: string, ...others: string[]];

export interface DisclosureLanguage {
  readonly name: string;
  /** Frequent words, by which the language is recognized. */
  readonly stopWords: ReadonlySet<string>;
  /** Shortly before a phrase, such a word denies it: "nothing suspicious". */
  readonly negations: ReadonlySet<string>;
  /** Right before a phrase, such a word says that it is about the user: "you asked me to". */
  readonly users: ReadonlySet<string>;
  /** What an instruction may come from. */
  readonly sources: readonly Phrase[];
  /** How a speaker steps back from words that are quoted. */
  readonly distancing: readonly Phrase[];
  /** How a speaker warns of a source, or of what it says. */
  readonly warning: readonly Phrase[];
}

export const disclosureLanguages: readonly DisclosureLanguage[] = Object.entries(table).map(([name, words]) => ({
  name,
  stopWords: new Set(words.stopWords.split(' ')),
  negations: new Set(words.negations.split(' ')),
  users: new Set(words.users.split(' ')),
  sources: readPhrases(words.sources),
  distancing: readPhrases(words.distancing),
  warning: readPhrases(words.warning),
}));

function readPhrases(lines: readonly string[]): readonly Phrase[] {
  return lines.flatMap((line) => line.split(', ').map((phrase) => phrase.split(' ') as unknown as Phrase));
}
