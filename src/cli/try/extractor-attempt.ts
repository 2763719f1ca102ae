import { compileJsonPath } from '../../expression/json-path.ts';
import { isCompileFailure } from '../../expression/limits.ts';
import { compileRegex } from '../../expression/regex.ts';
import type { MessageRecord } from '../../model/trace.ts';
import { evaluateExtractor } from '../../primitives/evaluate-extractor.ts';
import { messageValue } from '../../primitives/message-value.ts';
import { type MadeAttempt, made, shown, suggestionFor } from './attempts.ts';

export function extractorAttempt(selector: string): MadeAttempt {
  const type = selector.startsWith('$') ? 'json_path' : 'regex';
  const compiled = type === 'json_path' ? compileJsonPath(selector) : compileRegex(selector);
  if (isCompileFailure(compiled)) return { ok: false, problem: compiled.failure };
  const taken = (record: MessageRecord, written = selector): string | undefined =>
    evaluateExtractor(
      { name: 'tried', source: 'request', type, selector: written },
      messageValue(record),
      'request',
    );
  return made({
    on(record) {
      const value = taken(record);
      return {
        holds: value !== undefined,
        saw: [
          `message: ${shown(messageValue(record))}`,
          value === undefined ? 'takes nothing' : `takes ${JSON.stringify(value)}`,
        ],
      };
    },
    nearest(records) {
      if (type === 'json_path') return suggestionFor(pathOf(selector), records);
      for (const record of records) {
        const value = taken(record, `(?i)${selector}`);
        if (value !== undefined)
          return `record ${record.seq} has ${JSON.stringify(value)} in other letters: begin with (?i)`;
      }
      return undefined;
    },
  });
}

/** The plain part of a JSONPath as a dot-path, up to the first selector that is not plain. */
function pathOf(selector: string): string {
  const [, plain = ''] = /^\$((?:\.\w+|\[\d+\]|\['\w+'\])*)/.exec(selector) ?? [];
  return plain.replace(/\['?(\w+)'?\]/g, '.$1').slice(1);
}
