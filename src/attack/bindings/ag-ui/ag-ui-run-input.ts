import type { Diagnostic } from '../../../format/model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import type { Act, Acts, Ids } from '../../engine/binding.ts';
import { listCarriedPieces } from './ag-ui-pieces.ts';

// Fills in the fields of a run input that its author left out.

export const runInput = 'run_agent_input';

/** Fields without which agents older than 1.0 refuse a run input. */
const empties: ValueMap = { state: {}, tools: [], context: [], forwardedProps: {} };

const version: ValueMap = { protocolVersion: '1.0' };

/** Whether the document wants nothing added to its run input (our extension `as_written`). */
function isAsWritten(state: ValueMap): boolean {
  return state.as_written === true;
}

export function submitInput(state: Value | undefined, ids: Ids): Acts {
  const input = isValueMap(state) ? state.run_agent_input : undefined;
  if (!isValueMap(state) || input === undefined || input === null)
    return {
      acts: [],
      warnings: [createAgUiWarning('O-105', 'there is no `run_agent_input`, so nothing is sent')],
    };
  if (!isValueMap(input) || isAsWritten(state)) return { acts: [createRunAct(input, input)] };
  // All phases share one thread, so they form one conversation.
  const wanted = { threadId: () => ids.own, runId: ids.fresh };
  const missing = Object.entries(wanted).filter(([key]) => !Object.hasOwn(input, key));
  const generated = Object.fromEntries(missing.map(([key, make]) => [key, make()]));
  const warnings = missing.map(([key]) =>
    createAgUiWarning('O-105', `\`run_agent_input\` has no ${key}; ${generated[key]} is used`),
  );
  const added = pickOmittedFields({ ...version, ...empties }, input);
  return { acts: [createRunAct({ ...input, ...generated, ...added }, input, state)], warnings };
}

function pickOmittedFields(fields: ValueMap, input: ValueMap): ValueMap {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !Object.hasOwn(input, key)));
}

/** `written` is the document's own part of the input: added fields are not pieces of the attack. */
function createRunAct(input: Value, written: Value, state?: ValueMap): Act {
  return {
    method: runInput,
    content: (fill) => fill(input),
    counts: true,
    pieces: listCarriedPieces(written),
    ...omitProtocolVersion(state),
  };
}

/** The same input without our `protocolVersion`, for agents that do not know that field and refuse unknown fields. */
export function omitProtocolVersion(state: Value | undefined): Pick<Act, 'older'> {
  const input = isValueMap(state) ? state.run_agent_input : undefined;
  if (!isValueMap(state) || !isValueMap(input) || isAsWritten(state)) return {};
  return Object.hasOwn(input, 'protocolVersion') ? {} : { older: dropVersion };
}

function dropVersion(content: Value): Value {
  if (!isValueMap(content)) return content;
  const { protocolVersion: _, ...rest } = content;
  return rest;
}

export function createAgUiWarning(code: string, message: string): Diagnostic {
  return { severity: 'warning', code, message };
}
