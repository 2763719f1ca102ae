import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { readRedactPattern } from '../suite/config/redact-pattern.ts';
import type { AttackOptions } from './attack-options.ts';

/** The redactor, if `redact` asks for one. The patterns have been checked already. */
export function createOptionRedactor({ redact = false }: AttackOptions): Redactor | undefined {
  if (redact === false) return undefined;
  const sources = redact === true ? [] : redact;
  const patterns = sources.flatMap((source) => {
    const read = readRedactPattern(source);
    return 'problem' in read ? [] : [read];
  });
  return createRedactor({ patterns });
}
