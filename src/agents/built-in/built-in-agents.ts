// The built-in agents: real agents (AG-UI in, the official MCP client out) whose model is a set of rules, or a language
// model. This is the only entry point of `built-in`.
//
// The rules (`policies`) are frozen, so that the demonstration and `oatf test` always give the same answers. A document
// that they do not understand is no reason to change them: write the document for real agents, and use `llmAgent` to
// see how a model reads it. Only a crash, or a rule that contradicts its own comment, is a reason.

import type { PlannedStep } from '../../format/model/user-plan.ts';
import type { AgentUnderTest, Briefing, ServedAgent } from '../adapters/agent-under-test.ts';
import type { LlmSettings } from './llm/llm-settings.ts';
import type { Model, Usage } from './model.ts';
import type { Victim } from './plan/victim.ts';
import type { ServeAddresses } from './serve-agent.ts';

export {
  type LlmProblem,
  type LlmSettings,
  llmApis,
  readLlmSettings,
} from './llm/llm-settings.ts';
export { type LlmJudge, llmJudge } from './llm-judge.ts';
export type { Victim, VictimTrigger } from './plan/victim.ts';

/**
 * The names of the built-in agents. `gullible` follows every instruction that it reads. `guarded` does its user's task
 * and nothing else. `candid` does the same, and also reports the injected instructions that it has read.
 */
export const builtInAgentNames = ['gullible', 'guarded', 'candid'] as const;
/** The name of a built-in agent. */
export type BuiltInAgentName = (typeof builtInAgentNames)[number];

export interface ServeBuiltInAgentOptions extends ServeAddresses {
  readonly name: BuiltInAgentName;
  /** The user's task, step by step. Default: the agent goes by the user's words. */
  readonly steps?: readonly PlannedStep[] | undefined;
  /** The endpoints of the actors that the steps name. */
  readonly endpoints?: Briefing['endpoints'] | undefined;
  readonly victim?: Victim | undefined;
}

/** A built-in agent; it listens on this machine after it was launched. */
export interface BuiltInAgent extends AgentUnderTest {
  launch(briefing: Briefing): Promise<ServedAgent>;
  followPlan(steps: readonly PlannedStep[]): BuiltInAgent;
}

/** Creates a built-in agent as an agent under test. */
export function builtInAgent(name: BuiltInAgentName): BuiltInAgent {
  return createBuiltInAgent(name);
}

/** An agent that resists like `guarded`, but falls for one thing. It needs a plan to follow. */
export function victimAgent(victim: Victim): BuiltInAgent {
  return createBuiltInAgent('guarded', undefined, victim);
}

function createBuiltInAgent(name: BuiltInAgentName, steps?: readonly PlannedStep[], victim?: Victim): BuiltInAgent {
  return {
    name: victim?.name ?? name,
    kind: 'built-in',
    speaks: ['ag_ui', 'mcp', 'a2a'],
    isTold: true,
    launch: ({ mcpConfig, a2aCards, endpoints }) =>
      serveBuiltInAgent({ name, mcpConfig, a2aCards, steps, endpoints, victim }),
    followPlan: (plan) => createBuiltInAgent(name, plan, victim),
  };
}

export async function serveBuiltInAgent(options: ServeBuiltInAgentOptions): Promise<ServedAgent> {
  const { name, steps, endpoints = {}, victim, ...addresses } = options;
  // Loaded on demand: the official client is slow to import, and most commands need no agent.
  // One after the other: Jest cannot link two modules at a time that share others.
  const { serveAgent } = await import('./serve-agent.ts');
  const { PlanFollower } = await import('./plan/plan-follower.ts');
  const follower = steps && new PlanFollower({ steps, isTrusting: name === 'gullible', endpoints, victim });
  return serveAgent({ persona: { model: await policies[name](), follower }, ...addresses });
}

// The agents differ only in their policies.
const policies: { readonly [Name in BuiltInAgentName]: () => Promise<Model> } = {
  gullible: async () => (await import('./policies/gullible.ts')).gullible,
  guarded: async () => (await import('./policies/guarded.ts')).guarded,
  candid: async () => (await import('./policies/candid.ts')).candid,
};

/** The built-in agent with a language model behind it. */
export function llmAgent(name: string, settings: LlmSettings, prompt?: string): AgentUnderTest {
  return {
    name,
    kind: 'llm',
    speaks: ['ag_ui', 'mcp', 'a2a'],
    isTold: true,
    prompt,
    async launch({ mcpConfig, a2aCards }): Promise<ServedAgent> {
      const { serveAgent } = await import('./serve-agent.ts');
      const { createMeteredModel } = await import('./llm/metered-model.ts');
      const { model, usage } = await createMeteredModel(settings);
      const persona = { model, instructions: settings.systemPrompt };
      const running = await serveAgent({ persona, mcpConfig, a2aCards });
      return { ...running, usage: (): Usage => usage() };
    },
  };
}
