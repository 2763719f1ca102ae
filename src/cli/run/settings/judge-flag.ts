import { type AgentContext, shownAgent } from '../../../config/named-agent.ts';
import type { ExaminedJudge } from '../../../suite/judging/examined-judge.ts';
import { readNumber } from './suite-flags.ts';
import { type WrongUsage, wrongFlag } from './wrong-usage.ts';

/** Reads `--judge` and `--judge-budget`: the judge that decides semantic indicators. */
export async function readJudge(
  {
    judge: typed,
    judgeBudget,
  }: { readonly judge?: string | undefined; readonly judgeBudget?: string | undefined },
  context: Pick<AgentContext, 'config' | 'environment' | 'cwd'>,
): Promise<{ readonly value: ExaminedJudge | undefined } | WrongUsage> {
  const budget = readNumber('judge-budget', judgeBudget, 0);
  if ('message' in budget) return budget;
  if (typed === undefined) return { value: undefined };
  // Loaded on demand: most runs have no judge.
  const { namedJudge } = await import('../../../config/named-judge.ts');
  const { examinedJudge } = await import('../../../suite/judging/examined-judge.ts');
  const judge = namedJudge(typed, context);
  if ('problem' in judge) return wrongFlag('judge', shownAgent(typed), judge.problem, judge.hint);
  return { value: examinedJudge(judge, { budget: budget.value }) };
}
