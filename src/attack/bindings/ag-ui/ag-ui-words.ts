import type { Projection, SpokenText, WordsReader } from '../../../format/model/binding-views.ts';
import { isValueMap } from '../../../format/model/value.ts';
import { createAgUiProjector } from './ag-ui-projector.ts';

/** Finds the texts of the agent's messages, joined from their parts. */
export function createAgUiWordsReader(): WordsReader {
  const projector = createAgUiProjector();
  return {
    add: (record) => projector.add(record).flatMap(readSpokenText),
    finish: () => projector.finish().flatMap(readSpokenText),
  };
}

function readSpokenText({ content: { response }, record }: Projection): readonly SpokenText[] {
  const text = isValueMap(response) ? response.content : undefined;
  return typeof text === 'string' ? [{ record, text }] : [];
}
