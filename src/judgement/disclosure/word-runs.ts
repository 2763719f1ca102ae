import { replaceLookAlikes } from '../../format/model/look-alikes.ts';
import { splitIntoWords, type TextInWords } from './split-words.ts';

/** The runs of some length that a set of texts has: so many words in a row. */
export interface WordRuns {
  readonly length: number;
  readonly runs: ReadonlySet<string>;
  /** The first word of each run, so that few runs have to be joined. */
  readonly firsts: ReadonlySet<string>;
}

/** Collects the runs of texts, except those of `without`. No run reaches from one text into the next. */
export function collectRuns(texts: readonly string[], length: number, without?: WordRuns): WordRuns {
  const runs = new Set<string>();
  const firsts = new Set<string>();
  for (const text of texts) {
    const words = listComparedWords(splitIntoWords(text));
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length).join(' ');
      if (without?.runs.has(run)) continue;
      runs.add(run);
      firsts.add(words[at] ?? '');
    }
  }
  return { length, runs, firsts };
}

/** The positions of the words at which a run begins. */
export function findRuns(text: TextInWords, { length, runs, firsts }: WordRuns): readonly number[] {
  const words = listComparedWords(text);
  const found: number[] = [];
  for (let at = 0; at + length <= words.length; at++)
    if (firsts.has(words[at] ?? '') && runs.has(words.slice(at, at + length).join(' '))) found.push(at);
  return found;
}

/** Whoever quotes a payload that is written with letters of another script writes it with Latin ones. */
function listComparedWords({ words }: TextInWords): readonly string[] {
  return words.map(({ word }) => replaceLookAlikes(word));
}
