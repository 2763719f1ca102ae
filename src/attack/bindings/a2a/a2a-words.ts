import type { Projection, SpokenText, WordsReader } from '../../../format/model/binding-views.ts';
import { toMap, toMaps, type Value } from '../../../format/model/value.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { createA2aProjector } from './a2a-projector.ts';
import { joinTextsOfParts } from './a2a-shapes.ts';

/** Finds what an agent answers to a client: the texts of its messages, of the states of its tasks, and of its artifacts. */
export function createA2aWordsReader(): WordsReader {
  const projector = createA2aProjector();
  return {
    add: (record) =>
      record.origin === 'agent' && isClientMode(record.mode)
        ? [...readAnswer(record.seq, record.content), ...projector.add(record).flatMap(readJoined)]
        : [],
    finish: () => projector.finish().flatMap(readJoined),
  };
}

function readJoined({ path, record, content }: Projection): readonly SpokenText[] {
  return path === 'joined stream' ? readAnswer(record, content) : [];
}

/** The parts of an answer are one text: what it says in one can be about another. */
function readAnswer(record: number, answer: Value): readonly SpokenText[] {
  const { status, artifacts, artifact } = toMap(answer);
  const said = [answer, toMap(status).message, ...toMaps(artifacts), artifact];
  const texts = said.map((holder) => (toMap(holder).role === 'user' ? '' : joinTextsOfParts(holder, '\n')));
  return [{ record, text: texts.filter(Boolean).join('\n') }];
}
