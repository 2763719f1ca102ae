import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import type { TokenCount } from '../../model/views.ts';

const terminal: ReadonlySet<string> = new Set(['run_finished', 'run_error']);

/** The tokens that a run says its models have taken: one entry for each model. */
export function agUiUsage({ origin, method, content }: MessageRecord): TokenCount | undefined {
  if (origin !== 'agent' || !terminal.has(method) || !isValueMap(content) || !Array.isArray(content.usage))
    return undefined;
  const entries = content.usage.filter(isValueMap);
  return {
    inputTokens: entries.reduce((sum, { inputTokens }) => sum + count(inputTokens), 0),
    outputTokens: entries.reduce((sum, { outputTokens }) => sum + count(outputTokens), 0),
  };
}

/** What is no count counts nothing: it is the agent's word. */
function count(value: Value | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
