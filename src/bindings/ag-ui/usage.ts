import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import type { TokenCount } from '../../model/views.ts';

const terminal: ReadonlySet<string> = new Set(['run_finished', 'run_error']);

/** The tokens that a run reports for its models: one entry for each model. */
export function agUiUsage({ origin, method, content }: MessageRecord): TokenCount | undefined {
  if (origin !== 'agent' || !terminal.has(method) || !isValueMap(content) || !Array.isArray(content.usage))
    return undefined;
  const entries = content.usage.filter(isValueMap);
  return {
    inputTokens: entries.reduce((sum, { inputTokens }) => sum + count(inputTokens), 0),
    outputTokens: entries.reduce((sum, { outputTokens }) => sum + count(outputTokens), 0),
  };
}

/** A value that is not a count adds nothing: the agent may send anything here. */
function count(value: Value | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
