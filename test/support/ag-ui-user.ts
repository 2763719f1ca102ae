import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import type { Value, ValueMap } from '../../src/index.ts';
import { documentWith } from './records.ts';
import type { VirtualRun } from './virtual-run.ts';

// Documents whose only actor is a user who talks to an agent over AG-UI.

/** A state in which the user says something. */
export const says = (content: string, more: object = {}) => ({
  run_agent_input: { threadId: 't', runId: content, messages: [{ role: 'user', content }], ...more },
});
export const confirm = { name: 'confirm', description: 'ask the user', parameters: {} };
export const phased = (...phases: object[]): NormalizedDocument =>
  documentWith({ execution: { mode: 'ag_ui_client', phases } });
export const words = (content = 'hello', ...more: object[]): NormalizedDocument =>
  phased({ name: 'first', state: says(content) }, ...more);

/** The last message of each call. */
export const lastMessages = (virtual: VirtualRun, actor?: string): Value[] =>
  virtual
    .peer(actor)
    .calls()
    .map((input) => ((input as ValueMap).messages as ValueMap[]).at(-1)?.content as Value);

export const codes = async (virtual: VirtualRun): Promise<string[]> => {
  virtual.run.stop();
  return (await virtual.end()).diagnostics.map(({ code }) => code);
};
