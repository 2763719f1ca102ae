import type { JudgeFunction } from '../agent/judging.ts';
import { namedJudge } from '../config/named-judge.ts';
import { type ExaminedJudge, examinedJudge } from '../suite/judging/examined-judge.ts';
import { NotAttacked } from './not-attacked.ts';

/** Each judge function takes its exam once, however many attacks it judges. */
const examined = new WeakMap<JudgeFunction, ExaminedJudge>();

/** The judge of semantic indicators that the option `judge` selects. */
export function judgeOf(judge: JudgeFunction | string | undefined): ExaminedJudge | undefined {
  if (judge === undefined) return undefined;
  if (typeof judge === 'string') {
    const named = namedJudge(judge, { environment: process.env, cwd: process.cwd() });
    if ('problem' in named) throw new NotAttacked(`judge: ${named.problem}`, named.hint);
    return examinedJudge(named);
  }
  const known = examined.get(judge) ?? examinedJudge({ name: judge.name || 'a function', judge });
  examined.set(judge, known);
  return known;
}
