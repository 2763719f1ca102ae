import { disguises } from './explanations/disguises.ts';
import { envelope } from './explanations/envelope.ts';
import { execution } from './explanations/execution.ts';
import type { Explanations } from './explanations/explanation.ts';
import { generated } from './explanations/generated.ts';
import { indicators } from './explanations/indicators.ts';
import { marks } from './explanations/marks.ts';
import { normalization } from './explanations/normalization.ts';
import { parsing } from './explanations/parsing.ts';
import { phases } from './explanations/phases.ts';
import { running } from './explanations/running.ts';
import { task } from './explanations/task.ts';
import { warnings } from './explanations/warnings.ts';
import { wire } from './explanations/wire.ts';

export type { ExplainedCode, Explanation } from './explanations/explanation.ts';

/** The texts of `oatf explain CODE`. The clause and the wording of each rule are in the registry. */
export const explanations: Explanations = {
  ...envelope,
  ...execution,
  ...phases,
  ...indicators,
  ...marks,
  ...task,
  ...generated,
  ...disguises,
  ...wire,
  ...warnings,
  ...running,
  ...normalization,
  ...parsing,
};
