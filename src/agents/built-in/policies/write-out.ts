import type { OfferedTool } from '../model.ts';
import { actionsOfStem } from './action-classes.ts';
import { splitSentences } from './sentences.ts';
import { extractObjectPhrase } from './string-values.ts';
import { namesTool } from './tool-names.ts';
import { normalizeLookAlikes } from './unhide.ts';
import { splitWords, stemWord } from './word-stems.ts';

/** The sentence in which a prompt says what to write; undefined if it wants a tool used. */
export function findWantedWriting(prompt: string, tools: readonly OfferedTool[]): string | undefined {
  const [first = ''] = splitSentences(normalizeLookAlikes(prompt));
  const [verb = ''] = splitWords(first);
  const writes = (actionsOfStem.get(stemWord(verb)) ?? []).some(
    (action) => action === 'create' || action === 'analyze',
  );
  return !writes || tools.some(({ name }) => namesTool(first, name)) ? undefined : first;
}

/** The text that a prompt asks for, reduced to one line: the policies have no real writing skill. */
export function writeOut(prompt: string, tools: readonly OfferedTool[]): readonly string[] {
  const wanted = findWantedWriting(prompt, tools);
  if (wanted === undefined) return [];
  const text = extractObjectPhrase(wanted);
  return [`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`];
}
