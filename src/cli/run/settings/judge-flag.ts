import { type AgentContext, shownAgent } from '../../../config/named-agent.ts';
import { namedJudge } from '../../../config/named-judge.ts';
import { type ExaminedJudge, examinedJudge } from '../../../suite/judging/examined-judge.ts';
import { readNumber } from './suite-flags.ts';
import { type WrongUsage, wrongFlag } from './wrong-usage.ts';

/** Reads `--judge` and `--judge-budget`: the judge that decides semantic indicators. */
export function readJudge(
  {
    judge: typed,
    judgeBudget,
  }: { readonly judge?: string | undefined; readonly judgeBudget?: string | undefined },
  context: Pick<AgentContext, 'config' | 'environment' | 'cwd'>,
): { readonly value: ExaminedJudge | undefined } | WrongUsage {
  const budget = readNumber('judge-budget', judgeBudget, 0);
  if ('message' in budget) return budget;
  if (typed === undefined) return { value: undefined };
  const judge = namedJudge(typed, context);
  if ('problem' in judge) return wrongFlag('judge', shownAgent(typed), judge.problem, judge.hint);
  return { value: examinedJudge(judge, { budget: budget.value }) };
}
