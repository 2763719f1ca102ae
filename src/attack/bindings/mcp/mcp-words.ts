import type { SpokenText, WordsReader } from '../../../format/model/binding-views.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { toMap, toMaps } from '../../../format/model/value.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';

/** Finds what an agent says over its own MCP interface: the results of its tools, and the questions that it asks. */
export function createMcpWordsReader(): WordsReader {
  return { add: readMcpWords };
}

function readMcpWords({ seq, mode, origin, method, content }: MessageRecord): readonly SpokenText[] {
  if (origin !== 'agent' || !isClientMode(mode)) return [];
  const { message, result = content } = toMap(content);
  const texts =
    method === 'elicitation/create'
      ? [message]
      : /^tools\/call|^tasks\//.test(method)
        ? toMaps(toMap(result).content).map(({ text }) => text)
        : [];
  return texts.flatMap((text) => (typeof text === 'string' ? [{ record: seq, text }] : []));
}
