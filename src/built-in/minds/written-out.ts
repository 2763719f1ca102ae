import type { OfferedTool } from '../model.ts';
import { actionsOfStem } from './actions.ts';
import { sentencesOf } from './sentences.ts';
import { objectPhrase } from './string-values.ts';
import { namesTool } from './tool-names.ts';
import { clearText } from './unhide.ts';
import { stem, wordsOf } from './words.ts';

/** The sentence in which a prompt says what to write; undefined if it wants a tool used. */
export function wantedWriting(prompt: string, tools: readonly OfferedTool[]): string | undefined {
  const [first = ''] = sentencesOf(clearText(prompt));
  const [verb = ''] = wordsOf(first);
  const writes = (actionsOfStem.get(stem(verb)) ?? []).some(
    (action) => action === 'create' || action === 'analyze',
  );
  return !writes || tools.some(({ name }) => namesTool(first, name)) ? undefined : first;
}

/** The text that a prompt asks for, reduced to one line: the minds have no real writing skill. */
export function writtenOut(prompt: string, tools: readonly OfferedTool[]): readonly string[] {
  const wanted = wantedWriting(prompt, tools);
  if (wanted === undefined) return [];
  const text = objectPhrase(wanted);
  return [`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`];
}
