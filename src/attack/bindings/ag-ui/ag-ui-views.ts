import type { BindingViews, TokenCount } from '../../../format/model/binding-views.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { createAgUiActivityReader, readAgUiActivity } from './ag-ui-activity.ts';
import { createAgUiEchoFinder } from './ag-ui-echoes.ts';
import { listAgUiPieces } from './ag-ui-pieces.ts';
import { createAgUiProjector } from './ag-ui-projector.ts';
import { createAgUiWordsReader } from './ag-ui-words.ts';

export const agUiViews: BindingViews = {
  protocol: 'ag_ui',
  projector: createAgUiProjector,
  echoes: createAgUiEchoFinder,
  pieces: listAgUiPieces,
  activity: readAgUiActivity,
  createActivityReader: createAgUiActivityReader,
  createWordsReader: createAgUiWordsReader,
  usage: readAgUiUsage,
};

const terminal: ReadonlySet<string> = new Set(['run_finished', 'run_error']);

/** The tokens that a run reports for its models: one entry for each model. */
export function readAgUiUsage({ origin, method, content }: MessageRecord): TokenCount | undefined {
  if (origin !== 'agent' || !terminal.has(method) || !isValueMap(content) || !Array.isArray(content.usage))
    return undefined;
  const entries = content.usage.filter(isValueMap);
  return {
    inputTokens: entries.reduce((sum, { inputTokens }) => sum + readCount(inputTokens), 0),
    outputTokens: entries.reduce((sum, { outputTokens }) => sum + readCount(outputTokens), 0),
  };
}

/** A value that is not a count adds nothing: the agent may send anything here. */
function readCount(value: Value | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
