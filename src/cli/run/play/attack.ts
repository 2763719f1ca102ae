import type { AgentUnderTest } from '../../../agent/agent.ts';
import type { PlayableMode } from '../../../engine/run.ts';
import type { Playable, SuitePlan } from '../../../suite/plan.ts';
import { type Pace, playSuite, type Suite, type SuiteEnd } from '../../../suite/play-suite.ts';
import { modesFor } from '../places/modes.ts';
import { createAwaitView } from '../view/await-view.ts';
import { lookingOn, type RunView } from '../view/run-view.ts';
import { createSuiteView } from '../view/suite-view.ts';
import { createOperator } from './operator.ts';
import type { RunSettings } from './run-settings.ts';

export interface Attacked {
  readonly plan: SuitePlan;
  readonly documents: readonly Playable[];
  /** If empty, the operator connects an agent to each document. */
  readonly agents: readonly AgentUnderTest[];
  readonly compare?: Suite['compare'] | undefined;
}

/** Plays a plan and shows its progress to the operator. */
export async function attack(
  { plan, documents, agents, compare }: Attacked,
  settings: RunSettings,
  pace: Pace,
): Promise<SuiteEnd> {
  const { values, limits, seed, signal } = settings;
  const isAwaited = agents.length === 0;
  // With `both`, every agent is listed twice, and each entry names its own era.
  const era = values.era === 'both' ? undefined : values.era;
  const modes = (own: AgentUnderTest['era']): readonly PlayableMode[] =>
    modesFor(settings.addresses, settings.a2a, settings.exposure, own ?? era);
  const { enterKey: _, ...unattended } = settings;
  // Standard input carries the agent's messages, so the operator cannot use it.
  const isHeard = isAwaited && settings.stdio === undefined;
  const operator = createOperator(isHeard ? settings : unattended);
  let view: RunView | undefined;
  const suite: Suite = {
    plan,
    documents,
    agents,
    sink: settings.sink,
    redactor: settings.redactor,
    // The operator connects an agent to one document at a time, and once.
    pace: { ...(isAwaited ? {} : pace), signal, endsUnopened: true },
    settings: {
      modes,
      limits,
      seed,
      connect: settings.targets,
      allowedHosts: settings.a2a?.allowedHosts,
      era,
      prompt: values.prompt,
      demand: values.delivery,
      projections: values.projections,
      judge: settings.judge,
    },
    watch(sink) {
      view = isAwaited
        ? createAwaitView(documents.length, settings, operator)
        : createSuiteView(plan, documents, sink, settings);
      return lookingOn(view, settings, { modes: modes(undefined), limits });
    },
    ...(compare !== undefined && { compare }),
  };
  try {
    const end = await playSuite(suite);
    await view?.ended?.();
    return end;
  } finally {
    operator.leave();
  }
}
