import { isCompileFailure } from '../../format/expression/evaluation-limits.ts';
import { compileJsonPath } from '../../format/expression/json-path.ts';
import { compileRegex } from '../../format/expression/regex.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { evaluateExtractor } from '../../format/primitives/evaluate-extractor.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import { type AttemptOrProblem, formatTriedValue, suggestMessagePath, toMadeAttempt } from './attempts.ts';

export function createExtractorAttempt(selector: string): AttemptOrProblem {
  const type = selector.startsWith('$') ? 'json_path' : 'regex';
  const compiled = type === 'json_path' ? compileJsonPath(selector) : compileRegex(selector);
  if (isCompileFailure(compiled)) return { ok: false, problem: compiled.failure };
  const taken = (record: MessageRecord, written = selector): string | undefined =>
    evaluateExtractor({ name: 'tried', source: 'request', type, selector: written }, messageValue(record), 'request');
  return toMadeAttempt({
    on(record) {
      const value = taken(record);
      return {
        holds: value !== undefined,
        saw: [
          `message: ${formatTriedValue(messageValue(record))}`,
          value === undefined ? 'takes nothing' : `takes ${JSON.stringify(value)}`,
        ],
      };
    },
    nearest(records) {
      if (type === 'json_path') return suggestMessagePath(toDotPath(selector), records);
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
function toDotPath(selector: string): string {
  const [, plain = ''] = /^\$((?:\.\w+|\[\d+\]|\['\w+'\])*)/.exec(selector) ?? [];
  return plain.replace(/\['?(\w+)'?\]/g, '.$1').slice(1);
}
