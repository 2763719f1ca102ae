import { listDocumentCanaries } from '../../format/extensions/canaries.ts';
import { replaceCanaries } from '../../format/extensions/fresh-canaries.ts';
import { loadMarked } from '../../format/load-marked.ts';
import type { PlayableDocument } from './plan.ts';

/** Documents with fresh canaries, drawn from a seed. Those without canaries stay as they are. */
export function drawFreshCanaries(documents: readonly PlayableDocument[], seed: number): readonly PlayableDocument[] {
  return documents.map((playable) => {
    const canaries = listDocumentCanaries(playable.document);
    if (canaries.length === 0) return playable;
    const { id = '', name } = playable.document.attack;
    const text = replaceCanaries(playable.text, canaries, `${seed}/${id === '' ? name : id}`);
    if (text === playable.text) return playable;
    const loaded = loadMarked(text);
    if (loaded.ok) return { ...playable, document: loaded.document, text, warnings: loaded.warnings };
    throw new Error(`${playable.file} does not load with fresh canaries: ${loaded.errors[0]?.message ?? ''}`);
  });
}
