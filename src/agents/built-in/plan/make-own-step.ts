import type { PlannedStep, StepResult } from '../../../format/model/user-plan.ts';
import type { RunContext } from '../agent-run.ts';

const changeMs = 3_000;

/** Makes a step without the model. Resolves to its result; undefined if what it waits for does not come. */
export async function makeOwnStep(
  step: Extract<PlannedStep, { kind: 'wait' | 'session' }>,
  { follower, servers, agents, thread, signal }: RunContext,
): Promise<StepResult | undefined> {
  if (step.kind === 'session') {
    follower?.forget(thread.messages);
    await Promise.all([servers.leave(), agents.leave()]);
    return { text: '' };
  }
  if (step.for === 'list_changed') return (await servers.awaitChange(changeMs, signal)) ? { text: '' } : undefined;
  const report = await agents.awaitReport();
  if (report === undefined) return undefined;
  thread.add({ role: 'system', content: `A report on the task came:\n${report.content}` });
  return { text: report.content };
}
