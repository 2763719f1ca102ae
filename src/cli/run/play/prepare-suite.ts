import type { AgentUnderTest } from '../../../agents/adapters/agent-under-test.ts';
import type { PlayableMode } from '../../../attack/engine/run-document.ts';
import type { PlayableDocument, SuitePlan } from '../../../suite/plan/plan.ts';
import type { Pace, Suite } from '../../../suite/play-suite.ts';
import { createPlayableModes } from '../addresses/listen.ts';
import { createAwaitView, createOperator } from '../view/await-view.ts';
import { createViewObserver } from '../view/run-view.ts';
import { createSuiteView } from '../view/suite-view.ts';
import type { CommandRunSettings } from './run-settings.ts';

/** What a command plays. */
export interface PlannedSuite {
  readonly plan: SuitePlan;
  readonly documents: readonly PlayableDocument[];
  /** If empty, the operator connects an agent to each document. */
  readonly agents: readonly AgentUnderTest[];
  readonly compare?: Suite['compare'] | undefined;
}

/** The suite of a command, whose progress is shown to the operator. */
export function prepareSuite(
  { plan, documents, agents, compare }: PlannedSuite,
  settings: CommandRunSettings,
  pace: Pace,
): Suite {
  const { values, limits, seed, signal } = settings;
  const isAwaited = agents.length === 0;
  // With `both`, every agent is listed twice, and each entry names its own era.
  const era = values.era === 'both' ? undefined : values.era;
  const modes = (own: AgentUnderTest['era']): readonly PlayableMode[] =>
    createPlayableModes(settings.addresses, settings.a2a, settings.exposure, own ?? era);
  const { enterKey: _, ...unattended } = settings;
  // Standard input carries the agent's messages, so the operator cannot use it.
  const isHeard = isAwaited && settings.stdio === undefined;
  return {
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
      const view = isAwaited
        ? createAwaitView(documents.length, settings, createOperator(isHeard ? settings : unattended))
        : createSuiteView(plan, documents, sink, settings);
      return createViewObserver(view, settings, { modes: modes(undefined), limits });
    },
    ...(compare !== undefined && { compare }),
  };
}
