import type { JudgeFunction } from '../agents/adapters/judging.ts';
import { findNamedJudge } from '../suite/config/named-agent.ts';
import { createExaminedJudge, type ExaminedJudge } from '../suite/judging/examined-judge.ts';
import { NotAttacked } from './not-attacked.ts';

/** Each judge function takes its exam once, however many attacks it judges. */
const examined = new WeakMap<JudgeFunction, ExaminedJudge>();

/** The judge of semantic indicators that the option `judge` selects. */
export function createOptionJudge(judge: JudgeFunction | string | undefined): ExaminedJudge | undefined {
  if (judge === undefined) return undefined;
  if (typeof judge === 'string') {
    const named = findNamedJudge(judge, { environment: process.env, cwd: process.cwd() });
    if ('problem' in named) throw new NotAttacked(`judge: ${named.problem}`, named.hint);
    return createExaminedJudge(named);
  }
  const known = examined.get(judge) ?? createExaminedJudge({ name: judge.name || 'a function', judge });
  examined.set(judge, known);
  return known;
}
