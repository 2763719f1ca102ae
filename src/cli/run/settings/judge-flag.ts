import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { type AgentContext, redactAgentSpec } from '../../../suite/config/named-agent.ts';
import type { ExaminedJudge } from '../../../suite/judging/examined-judge.ts';
import type { Io } from '../../io.ts';
import { readNumberFlag } from './suite-flags.ts';
import { refuseFlag, type WrongUsage } from './wrong-usage.ts';

/** Reads `--judge` and `--judge-budget`: the judge that decides semantic indicators. */
export async function readJudge(
  { judge: typed, judgeBudget }: { readonly judge?: string | undefined; readonly judgeBudget?: string | undefined },
  context: Pick<AgentContext, 'config' | 'environment' | 'cwd'>,
): Promise<{ readonly value: ExaminedJudge | undefined } | WrongUsage> {
  const budget = readNumberFlag('judge-budget', judgeBudget, 0);
  if ('message' in budget) return budget;
  if (typed === undefined) return { value: undefined };
  // Loaded on demand: most runs have no judge.
  const { findNamedJudge } = await import('../../../suite/config/named-agent.ts');
  const { createExaminedJudge } = await import('../../../suite/judging/examined-judge.ts');
  const judge = findNamedJudge(typed, context);
  if ('problem' in judge) return refuseFlag('judge', redactAgentSpec(typed), judge.problem, judge.hint);
  return { value: createExaminedJudge(judge, { budget: budget.value }) };
}

/** A judge that failed its exam was not used, and the user who named it must be told. */
export async function reportRefusedJudge(judge: ExaminedJudge | undefined, io: Io): Promise<void> {
  const reasons = [...(judge?.refused ?? [])];
  for (const reason of reasons.slice(0, mostReasons))
    await io.stderr.write(`oatf: warning: ${escapeInvisible(reason)}; it was not used\n`);
}

const mostReasons = 3;
