import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { ExaminedJudge } from '../../../suite/judging/examined-judge.ts';
import type { Io } from '../../io.ts';

/** A judge that failed its exam was not used, and the user who named it must be told. */
export async function reportRefusedJudge(judge: ExaminedJudge | undefined, io: Io): Promise<void> {
  const reasons = [...(judge?.refused ?? [])];
  for (const reason of reasons.slice(0, mostTold))
    await io.stderr.write(`oatf: warning: ${escapeInvisible(reason)}; it was not used\n`);
}

const mostTold = 3;
